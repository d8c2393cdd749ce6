//! Seeds: a short text that stands for all the dice of a run.
//!
//! The generator is `ChaCha8` with the SHA-256 of the seed's UTF-8 bytes as its key and a nonce of 0; the mapping from its
//! words to faces is that of the library.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The name of the generator with the way from seed to key and from word to face. It changes if one of them does.
pub const ALGORITHM: &str = "chacha8/sha256/batch48";

/// The characters of generated seeds: i, l, o and u are left out, which are mistaken for others.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The generator of a seed.
pub fn generator(seed: &str) -> ChaCha8Rng {
    ChaCha8Rng::from_seed(Sha256::digest(seed.as_bytes()).into())
}

/// A seed out of random bits, such as `k3v9-q2dm-71xs`.
pub fn fresh(mut bits: u64) -> String {
    let mut seed = String::new();
    for place in 0..12 {
        if place > 0 && place % 4 == 0 {
            seed.push('-');
        }
        let index = usize::try_from(bits % 32).unwrap_or(0);
        seed.push(char::from(ALPHABET[index]));
        bits /= 32;
    }
    seed
}

/// SHA-256 in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
