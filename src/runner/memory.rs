// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How much memory this machine has to give, as far as it says.

/// Bytes that programs can have without others losing theirs: `MemAvailable` of Linux (proc(5)). Nothing on other systems.
pub(super) fn available() -> Option<u128> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    parsed(&text)
}

fn parsed(text: &str) -> Option<u128> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u128 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn the_line_is_found_and_its_unit_known() {
        let text = "MemTotal:       32768 kB\nMemAvailable:     100 kB\n";
        assert_eq!(parsed(text), Some(102_400));
        assert_eq!(parsed("MemTotal: 1 kB\n"), None);
        assert_eq!(parsed("MemAvailable: many"), None);
    }
}
