// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What is found in an SVG: rectangles, numbers, words.

/// Rectangles that stand for nodes or gaps: those with a tooltip.
pub(crate) fn bars<'a>(
    document: &'a roxmltree::Document<'_>,
    classes: &'a [&str],
) -> Vec<roxmltree::Node<'a, 'a>> {
    let is_bar = |node: &roxmltree::Node<'_, '_>| {
        node.has_tag_name("rect")
            && node.has_children()
            && node
                .attribute("class")
                .is_some_and(|class| classes.contains(&class))
    };
    document.descendants().filter(is_bar).collect()
}

pub(crate) fn number(node: &roxmltree::Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute)
        .expect("the attribute")
        .parse()
        .expect("a number")
}

pub(crate) fn words(document: &roxmltree::Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            node.descendants()
                .filter(|part| part.is_text())
                .filter_map(|part| part.text().map(str::trim))
                .collect::<Vec<_>>()
                .join("")
        })
        .collect()
}

/// Where the first row begins, and how wide it is: as long as its step.
pub(crate) fn plot(document: &roxmltree::Document<'_>) -> (f64, f64) {
    let row = document
        .descendants()
        .find(|node| node.attribute("class") == Some("row"))
        .expect("a row");
    (number(&row, "x"), number(&row, "width"))
}
