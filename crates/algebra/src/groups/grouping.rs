// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! One grouping: the devices `0..n`, split into ordered lists of one size.
//!
//! Invariants: every device stands in exactly one list, all lists have the same size, and the lists are kept sorted by
//! their least member. So two groupings are equal as Rust values exactly when no collective can tell them apart: the
//! order *inside* a list decides where a shard goes, the order *of* the lists means nothing.

use thiserror::Error;

/// Why lists of devices are no grouping, or a mesh has none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GroupError {
    /// No list, or an empty one.
    #[error("a grouping needs at least one device in every list")]
    Empty,
    /// Lists of two sizes.
    #[error("lists of a grouping have one size: expected {expected}, found {found}")]
    Sizes {
        /// Size of the first list.
        expected: usize,
        /// The other size.
        found: usize,
    },
    /// A device that does not exist.
    #[error("device {device} is not among the {devices} devices")]
    NoSuchDevice {
        /// The device.
        device: usize,
        /// How many there are.
        devices: usize,
    },
    /// A device in two places.
    #[error("device {0} stands in the lists twice")]
    Twice(usize),
    /// A device in no list.
    #[error("device {0} stands in no list")]
    Missing(usize),
    /// An axis that the mesh lacks, or that is named twice.
    #[error("axis {axis} is not one of the {axes} axes of the mesh, or is named twice")]
    Axis {
        /// The axis.
        axis: usize,
        /// How many there are.
        axes: usize,
    },
    /// Groupings of different machines.
    #[error("a grouping of {found} devices where there are {expected}")]
    Devices {
        /// Devices of the table.
        expected: usize,
        /// Devices of the grouping.
        found: usize,
    },
    /// More devices than ids.
    #[error("at most {} devices", u32::MAX)]
    TooMany,
}

/// Ordered lists of one size that split the devices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grouping {
    size: usize,
    /// The lists, one after the other.
    members: Vec<u32>,
    /// For each device its place in `members`.
    place: Vec<u32>,
}

impl Grouping {
    /// The grouping of these lists over `devices` devices. O(n log n).
    pub fn new(devices: usize, lists: &[Vec<usize>]) -> Result<Self, GroupError> {
        if u32::try_from(devices).is_err() {
            return Err(GroupError::TooMany);
        }
        let size = lists.first().map_or(0, Vec::len);
        if size == 0 || devices == 0 {
            return Err(GroupError::Empty);
        }
        if let Some(list) = lists.iter().find(|list| list.len() != size) {
            return Err(GroupError::Sizes {
                expected: size,
                found: list.len(),
            });
        }
        let mut sorted: Vec<&Vec<usize>> = lists.iter().collect();
        sorted.sort_by_key(|list| list.iter().min());
        let mut members = Vec::with_capacity(devices);
        let mut place = vec![u32::MAX; devices];
        for &device in sorted.into_iter().flatten() {
            if device >= devices {
                return Err(GroupError::NoSuchDevice { device, devices });
            }
            if place[device] != u32::MAX {
                return Err(GroupError::Twice(device));
            }
            place[device] = members.len() as u32;
            members.push(device as u32);
        }
        match place.iter().position(|&place| place == u32::MAX) {
            Some(device) => Err(GroupError::Missing(device)),
            None => Ok(Self { size, members, place }),
        }
    }

    /// The groups of a mesh in row-major order whose members differ along `axes`, the first of them slowest. O(n log n).
    pub fn of_mesh(shape: &[usize], axes: &[usize]) -> Result<Self, GroupError> {
        for (position, &axis) in axes.iter().enumerate() {
            if axis >= shape.len() || axes[..position].contains(&axis) {
                return Err(GroupError::Axis {
                    axis,
                    axes: shape.len(),
                });
            }
        }
        let devices = shape
            .iter()
            .try_fold(1usize, |product, &extent| product.checked_mul(extent))
            .filter(|&devices| u32::try_from(devices).is_ok())
            .ok_or(GroupError::TooMany)?;
        if devices == 0 {
            return Err(GroupError::Empty);
        }
        let stride = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        let offsets = axes.iter().fold(vec![0], |offsets, &axis| {
            let steps = |offset| (0..shape[axis]).map(move |step| offset + step * stride(axis));
            offsets.into_iter().flat_map(steps).collect::<Vec<usize>>()
        });
        let first = |device: &usize| {
            axes.iter()
                .all(|&axis| (device / stride(axis)).is_multiple_of(shape[axis]))
        };
        let lists = (0..devices)
            .filter(first)
            .map(|device| offsets.iter().map(|offset| device + offset).collect())
            .collect::<Vec<Vec<usize>>>();
        Self::new(devices, &lists)
    }

    /// Number of devices.
    pub fn devices(&self) -> usize {
        self.members.len()
    }

    /// Members of each list.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The list that a device stands in. O(1).
    pub fn list(&self, device: usize) -> &[u32] {
        let start = self.place[device] as usize / self.size * self.size;
        &self.members[start..start + self.size]
    }

    /// Position of a device in its list. O(1).
    pub fn position(&self, device: usize) -> usize {
        self.place[device] as usize % self.size
    }

    /// Member number `index` of a device's list. O(1).
    pub fn member(&self, device: usize, index: usize) -> usize {
        self.list(device)[index] as usize
    }

    /// All lists, by their least member.
    pub fn lists(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.members.chunks_exact(self.size)
    }

    /// The same lists, each in ascending order: equal for groupings that are equal as sets. O(n log n).
    pub fn as_sets(&self) -> Self {
        let mut sorted = self.clone();
        for list in sorted.members.chunks_exact_mut(self.size) {
            list.sort_unstable();
        }
        for (place, &device) in sorted.members.iter().enumerate() {
            sorted.place[device as usize] = place as u32;
        }
        sorted
    }
}

impl std::fmt::Display for Grouping {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, list) in self.lists().enumerate() {
            let list: Vec<String> = list.iter().map(u32::to_string).collect();
            let gap = if number == 0 { "" } else { " " };
            write!(formatter, "{gap}[{}]", list.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(grouping: &Grouping) -> Vec<Vec<u32>> {
        grouping.lists().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn what_is_no_grouping_is_refused() {
        let new = |lists: &[&[usize]]| {
            Grouping::new(4, &lists.iter().map(|list| list.to_vec()).collect::<Vec<_>>()).unwrap_err()
        };
        assert_eq!(new(&[]), GroupError::Empty);
        assert_eq!(new(&[&[]]), GroupError::Empty);
        assert_eq!(
            new(&[&[0, 1], &[2]]),
            GroupError::Sizes {
                expected: 2,
                found: 1
            }
        );
        assert_eq!(
            new(&[&[0, 4], &[2, 3]]),
            GroupError::NoSuchDevice {
                device: 4,
                devices: 4
            }
        );
        assert_eq!(new(&[&[0, 1], &[1, 3]]), GroupError::Twice(1));
        assert_eq!(new(&[&[0, 1]]), GroupError::Missing(2));
        assert_eq!(
            Grouping::of_mesh(&[2, 2], &[2]),
            Err(GroupError::Axis { axis: 2, axes: 2 })
        );
        assert_eq!(
            Grouping::of_mesh(&[2, 2], &[1, 1]),
            Err(GroupError::Axis { axis: 1, axes: 2 })
        );
        assert_eq!(
            Grouping::of_mesh(&[usize::MAX, 2], &[0]),
            Err(GroupError::TooMany)
        );
        assert_eq!(Grouping::of_mesh(&[0, 2], &[0]), Err(GroupError::Empty));
    }

    #[test]
    fn the_order_of_the_lists_means_nothing_and_the_order_inside_does() {
        let new = |lists: [[usize; 2]; 2]| Grouping::new(4, &lists.map(Vec::from)).unwrap();
        assert_eq!(new([[3, 1], [0, 2]]), new([[0, 2], [3, 1]]));
        assert_ne!(new([[1, 3], [0, 2]]), new([[3, 1], [0, 2]]));
        assert_eq!(new([[1, 3], [0, 2]]).as_sets(), new([[3, 1], [2, 0]]).as_sets());
        assert_eq!(new([[3, 1], [0, 2]]).to_string(), "[0 2] [3 1]");
    }

    #[test]
    fn axes_of_a_mesh_major_first() {
        let mesh = |axes: &[usize]| lists(&Grouping::of_mesh(&[2, 3], axes).unwrap());
        assert_eq!(mesh(&[1]), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(mesh(&[0]), [[0, 3], [1, 4], [2, 5]]);
        assert_eq!(mesh(&[1, 0]), [[0, 3, 1, 4, 2, 5]]);
        assert_eq!(mesh(&[0, 1]), [[0, 1, 2, 3, 4, 5]]);
        assert_eq!(mesh(&[]), [[0], [1], [2], [3], [4], [5]]);
    }

    #[test]
    fn positions_and_members_agree() {
        let grouping = Grouping::new(4, &[vec![2, 0], vec![1, 3]]).unwrap();
        for device in 0..4 {
            assert_eq!(grouping.member(device, grouping.position(device)), device);
        }
        assert_eq!(grouping.list(0), [2, 0]);
        assert_eq!(grouping.position(0), 1);
    }
}
