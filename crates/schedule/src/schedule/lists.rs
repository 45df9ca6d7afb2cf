// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Many short lists in two arrays, so that a million of them cost two allocations.

/// Lists of numbers, one a unit, in one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(crate) fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len() as u32);
    }

    #[inline]
    pub(crate) fn of(&self, unit: u32) -> &[u32] {
        let begin = if unit == 0 {
            0
        } else {
            self.ends[unit as usize - 1]
        };
        &self.items[begin as usize..self.ends[unit as usize] as usize]
    }

    /// The lists of units numbered from the other end.
    pub(crate) fn mirrored(&self) -> Lists {
        let count = self.ends.len() as u32;
        let total = self.items.len() as u32;
        let begin = |unit: u32| match unit {
            0 => 0,
            unit => self.ends[unit as usize - 1],
        };
        Lists {
            ends: (0..count).rev().map(|unit| total - begin(unit)).collect(),
            items: self.items.iter().rev().map(|item| count - 1 - item).collect(),
        }
    }

    /// The lists of the other direction: for each number the units that list it.
    pub(crate) fn inverse(&self) -> Lists {
        let count = self.ends.len();
        let mut begins = vec![0u32; count + 1];
        for &item in &self.items {
            begins[item as usize + 1] += 1;
        }
        for index in 0..count {
            begins[index + 1] += begins[index];
        }
        let mut next = begins.clone();
        let mut items = vec![0; self.items.len()];
        for unit in 0..count as u32 {
            for &item in self.of(unit) {
                items[next[item as usize] as usize] = unit;
                next[item as usize] += 1;
            }
        }
        Lists {
            ends: begins.split_off(1),
            items,
        }
    }
}
