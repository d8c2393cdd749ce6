//! The widths that counts are stored in, apart from the rows: bounds and costs need the width of a row that does not exist yet.

/// How one count of a row is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64-bit whole numbers, for totals of at most 63 bits.
    U64,
    /// 128-bit whole numbers, for totals of at most 127 bits.
    U128,
    /// This many 64-bit limbs a count.
    Limbs(usize),
    /// Floating-point probabilities. Operations on this width never subtract.
    F64,
}

impl Width {
    /// The narrowest exact width for counts whose total has at most this many bits.
    #[must_use]
    pub fn for_bits(bits: u64) -> Self {
        match bits {
            0..=63 => Self::U64,
            64..=127 => Self::U128,
            _ => Self::Limbs(usize::try_from(bits / 64 + 1).unwrap_or(usize::MAX)),
        }
    }

    /// Limbs a count, for estimates of work.
    #[must_use]
    pub fn limbs(self) -> usize {
        match self {
            Self::U64 | Self::F64 => 1,
            Self::U128 => 2,
            Self::Limbs(l) => l,
        }
    }
}
