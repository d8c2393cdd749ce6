//! Products of two wide distributions as one product of two very large numbers (Kronecker substitution): the counts are
//! packed side by side, far enough apart that no sum of products reaches its neighbour.

use super::mass::{Mass, big_of};

/// The product in rows of `l` limbs.
pub(crate) fn convolve(a: &Mass, b: &Mass, l: usize) -> Mass {
    // Every count of the product is below 2^(64 l) by the choice of the width, so one row apart is far enough.
    let pack = |m: &Mass| {
        let wide = m.clone().widen(super::Width::Limbs(l));
        match &wide {
            Mass::Limbs { d, .. } => big_of(d),
            Mass::U64(_) | Mass::U128(_) | Mass::F64(_) => num_bigint::BigUint::default(),
        }
    };
    super::tally::took_product(a.len() * l, b.len() * l);
    let product = pack(a) * pack(b);
    let mut d = product.to_u64_digits();
    d.resize((a.len() + b.len() - 1) * l, 0);
    Mass::Limbs { l, d }
}
