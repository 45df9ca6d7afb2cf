// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Who is in a process group.
//!
//! A graph only names its groups. The option `groups` says which ranks a name stands for; where it does not, a
//! `group_size` that the graph mentions is taken for one group of the first ranks.

use std::collections::BTreeMap;

/// Ranks by name of the group, as the option gives them.
pub(super) type GroupTable = BTreeMap<String, Vec<Vec<i64>>>;

/// What is wrong with the option `groups`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum GroupsError {
    #[error(
        "option groups: '{0}' is no NAME=RANK.RANK.../RANK.RANK... (groups separated by slashes, ranks by dots)"
    )]
    Form(String),
    #[error("option groups: '{rank}' in '{entry}' is no rank; a number from 0 to 2147483647 is expected")]
    Rank { entry: String, rank: String },
    #[error(
        "option groups: '{entry}' has groups of {first} and of {other} rank(s); groups of one size are expected"
    )]
    Sizes {
        entry: String,
        first: usize,
        other: usize,
    },
    #[error("option groups: '{entry}' has rank {rank} twice")]
    Twice { entry: String, rank: i64 },
    #[error("option groups: there are two entries for process group '{0}'")]
    Entries(String),
}

/// Reads the entries of the option. A name may hold an equals sign, since ranks have none.
pub(super) fn parse(entries: &[String]) -> Result<GroupTable, GroupsError> {
    let mut table = GroupTable::new();
    for entry in entries {
        let (name, lists) = entry
            .rsplit_once('=')
            .filter(|(name, lists)| !name.is_empty() && !lists.is_empty())
            .ok_or_else(|| GroupsError::Form(entry.clone()))?;
        let groups = lists
            .split('/')
            .map(|list| parse_ranks(entry, list))
            .collect::<Result<Vec<_>, _>>()?;
        let first = groups[0].len();
        if let Some(other) = groups.iter().find(|group| group.len() != first) {
            return Err(GroupsError::Sizes {
                entry: entry.clone(),
                first,
                other: other.len(),
            });
        }
        let mut ranks: Vec<i64> = groups.concat();
        ranks.sort_unstable();
        if let Some(pair) = ranks.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(GroupsError::Twice {
                entry: entry.clone(),
                rank: pair[0],
            });
        }
        if table.insert(name.to_owned(), groups).is_some() {
            return Err(GroupsError::Entries(name.to_owned()));
        }
    }
    Ok(table)
}

fn parse_ranks(entry: &str, list: &str) -> Result<Vec<i64>, GroupsError> {
    list.split('.')
        .map(|rank| {
            if rank.bytes().all(|byte| byte.is_ascii_digit())
                && let Ok(number) = rank.parse::<i32>()
            {
                Ok(i64::from(number))
            } else {
                Err(GroupsError::Rank {
                    entry: entry.to_owned(),
                    rank: rank.to_owned(),
                })
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(entries: &[&str]) -> Result<GroupTable, String> {
        parse(&entries.iter().map(|&entry| entry.to_owned()).collect::<Vec<_>>())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn reads_entries() {
        let table = parsed(&["0=0.1.2.3/4.5.6.7", "a=b=7"]).expect("both are well formed");
        assert_eq!(table["0"], [[0, 1, 2, 3], [4, 5, 6, 7]]);
        assert_eq!(table["a=b"], [[7]]);
    }

    #[test]
    fn says_what_is_wrong() {
        for (entries, reason) in [
            (&["0"][..], "'0' is no NAME="),
            (&["=0.1"], "'=0.1' is no NAME="),
            (&["0="], "'0=' is no NAME="),
            (&["0=0.x"], "'x' in '0=0.x' is no rank"),
            (&["0=0..1"], "'' in '0=0..1' is no rank"),
            (&["0=-1"], "'-1' in '0=-1' is no rank"),
            (&["0=0.4294967296"], "'4294967296' in"),
            (&["0=0.1/2"], "groups of 2 and of 1 rank(s)"),
            (&["0=0.1/1.2"], "has rank 1 twice"),
            (&["0=0", "0=1"], "two entries for process group '0'"),
        ] {
            let error = parsed(entries).expect_err("malformed");
            assert!(error.contains(reason), "{error}");
        }
    }
}
