// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How much computation and communication slow each other down.
//!
//! Collectives take processors and memory bandwidth from the computation beside them, and get less of the link when that
//! computation is busy: slowdowns of computation of up to 1.76 have been reported (NCCL issue 1428). The model is two
//! factors: while at least one computation and at least one communication run, computations proceed at 1/`compute` of
//! their rate and communications at 1/`communication`. For a pair of durations T_c and T_m that begin together this means
//! a time of T_c + `communication`·T_m·(1 - 1/`compute`) if the communication ends first, else of
//! T_m + `compute`·T_c·(1 - 1/`communication`); running both at once pays exactly when 1/`compute` + 1/`communication` > 1.
//!
//! A factor is kept as a multiple of 2^-32, the nearest one, so that the engine calculates with integers.

use thiserror::Error;

/// Slowdown factors, both 1 by default: no contention. See the [module](self) documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contention {
    compute: u64,
    communication: u64,
}

/// A factor that is none.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("slowdown of {work}: {factor} is no number from 1 to {}", Contention::MOST)]
pub struct ContentionError {
    /// What was to be slowed down.
    pub work: &'static str,
    /// The factor given.
    pub factor: f64,
}

impl Default for Contention {
    fn default() -> Self {
        Contention {
            compute: Self::ONE,
            communication: Self::ONE,
        }
    }
}

impl Contention {
    /// The largest factor. What is slower than that is not running beside anything.
    pub const MOST: f64 = 1024.0;

    /// The factor 1.
    pub(super) const ONE: u64 = 1 << 32;

    /// The factors by which computation and communication take longer while both run.
    pub fn new(compute: f64, communication: f64) -> Result<Contention, ContentionError> {
        let fixed = |work, factor: f64| {
            if (1.0..=Self::MOST).contains(&factor) {
                Ok((factor * Self::ONE as f64).round() as u64)
            } else {
                Err(ContentionError { work, factor })
            }
        };
        Ok(Contention {
            compute: fixed("computation", compute)?,
            communication: fixed("communication", communication)?,
        })
    }

    /// Whether nothing is slowed down.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The slowdown of computation.
    pub fn compute(&self) -> f64 {
        self.compute as f64 / Self::ONE as f64
    }

    /// The slowdown of communication.
    pub fn communication(&self) -> f64 {
        self.communication as f64 / Self::ONE as f64
    }

    /// The slowdowns of computation and of communication in units of 1/[`ONE`](Self::ONE).
    pub(super) fn fixed(&self) -> [u64; 2] {
        [self.compute, self.communication]
    }
}
