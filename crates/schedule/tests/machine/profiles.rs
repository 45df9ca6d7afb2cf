// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Profiles: which entry wins, and what they may not say.

use comm_schedule::Profile;

#[test]
fn the_most_specific_entry_of_a_profile_wins() {
    let profile = Profile::parse(
        r#"{"op": [
            {"name": "a.b", "ns": 1},
            {"location": "\"f.py\":1:2", "ns": 2},
            {"name": "a.b", "location": "loc(\"f.py\":1:2)", "ns": 3},
            {"location": "\"layer\"", "ns": 4},
            {"location": "\"layer\"(\"f.py\":9:9)", "ns": 5}
        ]}"#,
    )
    .unwrap();
    let find = |name, locations: &[&str]| profile.find(name, locations.iter().copied());
    assert_eq!(find("a.b", &[]), Some((0, 1)));
    assert_eq!(find("a.c", &[]), None);
    assert_eq!(find("a.c", &["f.py:1:2"]), Some((1, 2)));
    assert_eq!(find("a.b", &["f.py:1:2"]), Some((2, 3)));
    assert_eq!(find("a.b", &["f.py:1:3"]), Some((0, 1)));
    assert_eq!(find("a.b", &["layer", "f.py:1:2"]), Some((3, 4)));
    assert_eq!(
        find("a.b", &["layer(f.py:9:9)", "layer", "f.py:9:9"]),
        Some((4, 5))
    );
    assert!(profile.names_locations());
    assert_eq!(profile.describe(0), "a.b");
    assert_eq!(profile.describe(2), "a.b at loc(f.py:1:2)");
    assert_eq!(profile.describe(4), "loc(layer(f.py:9:9))");
}

#[test]
fn what_a_profile_may_not_say_is_named() {
    for (text, expected) in [
        (
            r#"{"op": [{"ns": 1}]}"#,
            "op[0] is without name and location, but at least one of them is expected",
        ),
        (
            r#"{"op": [{"name": "a", "ns": 1}, {"name": "a", "ns": 2}]}"#,
            "op[1] is the second entry for the same name and location, but one entry for each is expected",
        ),
        (
            r#"{"op": [{"location": "\"f.py:1", "ns": 1}]}"#,
            "op[0].location is \"f.py:1, but a location as MLIR prints it is expected",
        ),
        (
            "[[op]]\nname = 'a'\nns = 2_000_000_000_000",
            "op[0].ns is 2000000000000, but a number of nanoseconds up to 1099511627776 is expected",
        ),
    ] {
        assert_eq!(Profile::parse(text).unwrap_err().to_string(), expected);
    }
    for (text, part) in [
        ("[[op]]\nname = 'a'\nns = -1", "line 3"),
        ("[[op]]\nname = 'a'\nnanos = 1", "nanos"),
        (r#"{"op": [{"name": "a"}]}"#, "missing field `ns` at line 1"),
    ] {
        let error = Profile::parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
