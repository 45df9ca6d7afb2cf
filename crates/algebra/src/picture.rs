// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pictures of e-graphs for Graphviz: one box per class, one node per term.

use crate::{
    program::Program,
    saturate::{SaturateError, SaturateOptions, saturate},
};

/// The saturated e-graph of a program in Graphviz's language, to be drawn by `dot`.
///
/// Groups are named by their number; [`crate::groups::Groups::get`] prints one.
pub fn graphviz(program: &Program, options: &SaturateOptions) -> Result<String, SaturateError> {
    let saturated = saturate(program, options)?;
    Ok(saturated.graph.dot().with_config_line("rankdir=BT").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Element, Fp, Groups, Kind, Op, Type};

    #[test]
    fn terms_of_both_sides_are_in_the_picture() {
        let mut groups = Groups::new(2).unwrap();
        let group = groups.add_axes(&[2], &[0]).unwrap();
        let mut program = Program::new(groups);
        let x = program.argument(0, Type::new(Element::F32, &[4]), &[]).unwrap();
        let sum = Op::AllReduce {
            kind: Kind::Sum,
            group,
        };
        let sum = program.push(sum, &[x], 1).unwrap();
        program.set_results(&[sum]).unwrap();
        let options = SaturateOptions {
            fp: Fp::Reassociate,
            ..SaturateOptions::default()
        };
        let picture = graphviz(&program, &options).unwrap();
        for part in [
            "digraph egraph",
            "all_reduce sum g0",
            "reduce_scatter sum dim=0 g0",
            "all_gather dim=0 g0",
        ] {
            assert!(picture.contains(part), "{part} in\n{picture}");
        }
    }
}
