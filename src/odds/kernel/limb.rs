//! Arithmetic on one count: a little-endian row of 64-bit limbs, of a length that the caller fixes.
//!
//! Everything is modulo 2^(64 L), so a difference may be negative on the way as long as the end result is not. Rows of
//! one length need no carry beyond their end, no normalisation and no allocation, which is where the speed comes from.

use super::tally::took;

/// One limb times one limb plus two limbs, as low and high limb. It cannot overflow.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, clippy::inline_always)] // the truncation is the low limb
fn mul_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let t = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (t as u64, (t >> 64) as u64)
}

/// `dst += src`.
#[inline]
pub(crate) fn add(dst: &mut [u64], src: &[u64]) {
    took(src.len());
    let mut carry = false;
    for (d, &s) in dst.iter_mut().zip(src) {
        let (x, c1) = d.overflowing_add(s);
        let (y, c2) = x.overflowing_add(u64::from(carry));
        *d = y;
        carry = c1 | c2;
    }
}

/// `dst += src` where `dst` is longer, with the carry beyond the end of `src`.
pub(crate) fn add_extended(dst: &mut [u64], src: &[u64]) {
    took(dst.len());
    let mut carry = false;
    for (i, d) in dst.iter_mut().enumerate() {
        let (x, c1) = d.overflowing_add(src.get(i).copied().unwrap_or(0));
        let (y, c2) = x.overflowing_add(u64::from(carry));
        *d = y;
        carry = c1 | c2;
    }
}

/// `dst -= src`.
#[inline]
pub(crate) fn sub(dst: &mut [u64], src: &[u64]) {
    took(src.len());
    let mut borrow = false;
    for (d, &s) in dst.iter_mut().zip(src) {
        let (x, c1) = d.overflowing_sub(s);
        let (y, c2) = x.overflowing_sub(u64::from(borrow));
        *d = y;
        borrow = c1 | c2;
    }
}

/// `dst += src * k`.
#[inline]
pub(crate) fn add_mul(dst: &mut [u64], src: &[u64], k: u64) {
    took(src.len());
    let mut carry = 0;
    for (d, &s) in dst.iter_mut().zip(src) {
        (*d, carry) = mul_add(s, k, *d, carry);
    }
}

/// `dst -= src * k`.
#[inline]
pub(crate) fn sub_mul(dst: &mut [u64], src: &[u64], k: u64) {
    took(src.len());
    let mut carry = 0;
    for (d, &s) in dst.iter_mut().zip(src) {
        let (low, high) = mul_add(s, k, carry, 0);
        let (x, borrow) = d.overflowing_sub(low);
        *d = x;
        carry = high + u64::from(borrow);
    }
}

/// `row *= k`.
#[inline]
pub(crate) fn mul_small(row: &mut [u64], k: u64) {
    took(row.len());
    let mut carry = 0;
    for d in row {
        (*d, carry) = mul_add(*d, k, carry, 0);
    }
}

/// `dst += a * b`, all three of one length, modulo 2^(64 L).
pub(crate) fn add_product(dst: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, &x) in a.iter().enumerate() {
        if x != 0 {
            add_mul(&mut dst[i..], &b[..b.len() - i], x);
        }
    }
}

/// A divisor prepared for exact division: the power of two is shifted out, the odd rest is inverted modulo 2^64
/// (T. Jebelean, "An algorithm for exact division", 1993). No step divides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExactDivisor {
    shift: u32,
    odd: u64,
    inverse: u64,
}

impl ExactDivisor {
    /// Prepares a divisor. Zero is treated as one.
    pub(crate) fn new(divisor: u64) -> Self {
        let divisor = divisor.max(1);
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // Newton's iteration doubles the number of right bits: 3 (odd * odd = 1 mod 8), 6, 12, 24, 48, 96.
        let mut inverse = odd;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Self { shift, odd, inverse }
    }

    /// Divides a row that is a multiple of the divisor.
    #[inline]
    pub(crate) fn divide(&self, row: &mut [u64]) {
        took(row.len() * (usize::from(self.shift > 0) + usize::from(self.odd != 1)));
        if self.shift > 0 {
            let mut high = 0;
            for limb in row.iter_mut().rev() {
                let next = *limb << (64 - self.shift);
                *limb = (*limb >> self.shift) | high;
                high = next;
            }
        }
        if self.odd == 1 {
            return;
        }
        let mut borrow = 0;
        for limb in row {
            let (x, under) = limb.overflowing_sub(borrow);
            let q = x.wrapping_mul(self.inverse);
            *limb = q;
            let (_, high) = mul_add(q, self.odd, 0, 0);
            borrow = high + u64::from(under);
        }
    }
}

/// `dst -= src * k` where `dst` is longer, with the borrow beyond the end of `src`.
fn sub_mul_extended(dst: &mut [u64], src: &[u64], k: u64) {
    took(src.len().min(dst.len()));
    let mut carry = 0;
    for (i, d) in dst.iter_mut().enumerate() {
        let (low, high) = mul_add(src.get(i).copied().unwrap_or(0), k, carry, 0);
        let (x, borrow) = d.overflowing_sub(low);
        *d = x;
        carry = high + u64::from(borrow);
        if carry == 0 && i >= src.len() {
            return;
        }
    }
}

/// A divisor of several limbs prepared for exact division, in the same way.
#[derive(Clone, Debug)]
pub(crate) struct WideDivisor {
    shift: usize,
    odd: Vec<u64>,
    inverse: u64,
}

impl WideDivisor {
    /// Prepares a divisor that is not zero.
    pub(crate) fn new(divisor: &num_bigint::BigUint) -> Self {
        let shift = divisor.trailing_zeros().unwrap_or(0);
        let odd: Vec<u64> = (divisor >> shift).iter_u64_digits().collect();
        let inverse = ExactDivisor::new(odd.first().copied().unwrap_or(1)).inverse;
        Self { shift: usize::try_from(shift).unwrap_or(0), odd, inverse }
    }

    /// Divides a row that is a multiple of the divisor. The quotient is right modulo the width less the power of two.
    pub(crate) fn divide(&self, row: &mut [u64]) {
        let (limbs, bits) = (self.shift / 64, self.shift % 64);
        row.copy_within(limbs.min(row.len()).., 0);
        let kept = row.len().saturating_sub(limbs);
        row[kept..].fill(0);
        ExactDivisor { shift: u32::try_from(bits).unwrap_or(0), odd: 1, inverse: 1 }.divide(row);
        if let [odd] = self.odd[..] {
            ExactDivisor { shift: 0, odd, inverse: self.inverse }.divide(row);
            return;
        }
        for i in 0..row.len() {
            let quotient = row[i].wrapping_mul(self.inverse);
            sub_mul_extended(&mut row[i..], &self.odd, quotient);
            row[i] = quotient;
        }
    }
}

/// Whether every limb is zero.
#[inline]
pub(crate) fn is_zero(row: &[u64]) -> bool {
    row.iter().all(|&x| x == 0)
}

/// The row as `mantissa * 2^exponent` with a mantissa of at most 64 bits, cut below (relative error under 2^-63).
pub(crate) fn to_scaled(row: &[u64]) -> (u64, i64) {
    let Some(top) = row.iter().rposition(|&x| x != 0) else { return (0, 0) };
    let zeros = row[top].leading_zeros();
    let mut mantissa = row[top] << zeros;
    if top > 0 && zeros > 0 {
        mantissa |= row[top - 1] >> (64 - zeros);
    }
    let limbs = i64::try_from(top).unwrap_or(i64::MAX / 64);
    (mantissa, limbs * 64 - i64::from(zeros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_division_undoes_multiplication() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        };
        for round in 0..2000u32 {
            let row: Vec<u64> = vec![next(), next(), next(), 0];
            let k = (next() >> (round % 60)).max(1);
            let mut product = row.clone();
            mul_small(&mut product, k);
            let mut twice = vec![0; 4];
            add_mul(&mut twice, &row, k);
            assert_eq!(product, twice);
            ExactDivisor::new(k).divide(&mut product);
            assert_eq!(product, row);
            sub_mul(&mut twice, &row, k);
            assert!(is_zero(&twice));
            // A divisor of two limbs with any number of trailing zeros, one of which may be a whole limb.
            let wide = (num_bigint::BigUint::from(next() | 1) * (k | 1)) << (round % 70);
            let factor: Vec<u64> = wide.iter_u64_digits().collect();
            let row = [next(), next(), 0, 0, 0, 0];
            let mut product = vec![0; 6];
            add_product(&mut product, &factor, &row);
            WideDivisor::new(&wide).divide(&mut product);
            assert_eq!(product, row);
        }
    }

    #[test]
    fn scaled_mantissa() {
        assert_eq!(to_scaled(&[0, 0]), (0, 0));
        assert_eq!(to_scaled(&[1, 0]), (1 << 63, -63));
        assert_eq!(to_scaled(&[0, 1]), (1 << 63, 1));
        assert_eq!(to_scaled(&[1 << 63, 1]), (3 << 62, 1));
    }
}
