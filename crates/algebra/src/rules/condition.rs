// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Side conditions by name, and classes of floating-point behaviour.

use std::fmt;

/// What a rule does to floating-point results, from harmless to harmful.
///
/// A rule that only moves data, or takes maxima, is exact; one that changes which partial sums are formed is not, since
/// rounded addition does not associate; one that adds in a narrower type loses digits. Integer arithmetic wraps, so for
/// integers every rule is exact and the class of an application is [`Fp::Exact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Fp {
    /// The same bits. NaN payloads, overflow and underflow aside.
    #[default]
    Exact,
    /// The same terms, added in another order or in another association.
    Reassociate,
    /// Sums of another element type.
    Precision,
}

impl fmt::Display for Fp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Exact => "exact",
            Self::Reassociate => "reassociate",
            Self::Precision => "precision",
        };
        write!(formatter, "{name}")
    }
}

/// A side condition of a rule. Every one is needed: the tests find, for each condition of each rule, programs that
/// violate it alone and that the rule would change, or, for some conditions on dimensions, that it would turn into a
/// term of another type or of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// The value is equal inside each list of the collective ([`crate::groups::Partition::covers`]).
    Replicated,
    /// [`crate::groups::relations::same_set`].
    SameSet,
    /// [`crate::groups::relations::same_order`].
    SameOrder,
    /// [`crate::groups::relations::disjoint`], with the union that the rule names.
    Disjoint,
    /// [`crate::groups::relations::product`] is a grouping, the one that the rule names.
    Nested,
    /// [`crate::groups::relations::square`].
    Square,
    /// [`crate::groups::relations::square_by_blocks`].
    SquareByBlocks,
    /// [`crate::groups::relations::position_constant`].
    PositionConstant,
    /// [`crate::groups::relations::contributors`].
    Contributors,
    /// Every list has one member.
    Single,
    /// The members of a list divide the extent.
    Divides,
    /// The ops work on the same dimension.
    SameDim,
    /// The ops work on different dimensions.
    DifferentDim,
    /// Split and concatenated dimension of one exchange are those of the other, swapped.
    Inverse,
    /// Both reductions combine in the same way.
    SameKind,
    /// The reduction is a sum.
    IsSum,
    /// The reduction is a maximum or a minimum.
    IsExtreme,
    /// The elementwise function distributes over the reduction: it is what the reduction combines with, or a difference
    /// of sums.
    Distributes,
    /// The elementwise function is linear in the operand that is reduced.
    Linear,
    /// The elementwise function is monotone as computed.
    Monotone,
    /// Every device receives, or the function keeps zero.
    KeepsZero,
    /// The pairs permute the members inside each list.
    PermutesWithin,
    /// The dimensions in front of the one that is gathered or scattered hold as many elements before and after the
    /// reshape.
    OuterKept,
    /// Every value of the inner element type is one of the outer.
    Embeds,
}

impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push(' ');
            }
            name.push(letter.to_ascii_lowercase());
        }
        write!(formatter, "{name}")
    }
}
