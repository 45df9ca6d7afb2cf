// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Programs with fused ops in every form, each with the same program of collectives and products one after the other, in
//! which the additions are done in the same order.

/// One form.
pub struct Pair {
    /// What it shows.
    pub name: String,
    /// The program with fused ops.
    pub fused: String,
    /// The other one.
    pub plain: String,
}

const MAPS: &str = "#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>
#row = affine_map<(m, n) -> (m, 0)>
#block = affine_map<(m, n) -> (m floordiv 2, n floordiv 2)>
";

/// The group of all ranks.
fn group(n: usize) -> String {
    let ranks: Vec<String> = (0..n).map(|rank| rank.to_string()).collect();
    format!("[[{}]]", ranks.join(", "))
}

fn pair(name: &str, signature: &str, fused: &str, plain: &str) -> Pair {
    let program = |body: &str| format!("{MAPS}func.func @main{signature} {{\n{body}\n}}\n");
    Pair {
        name: name.to_owned(),
        fused: program(fused),
        plain: program(plain),
    }
}

/// `%name`, a tensor of zeros.
fn zeros(name: &str, ty: &str) -> String {
    let element = ty.trim_end_matches('>').rsplit('x').next().unwrap_or_default();
    format!(
        "%{name}_number = arith.constant 0.0 : {element}
         %{name}_empty = tensor.empty() : {ty}
         %{name} = linalg.fill ins(%{name}_number : {element}) outs(%{name}_empty : {ty}) -> {ty}\n"
    )
}

/// Rows gathered, so many of each rank, with some right-hand sides, and the gathered tensor if it is wanted.
pub fn rows(n: usize, extent: usize, element: &str, products: usize, is_returned: bool) -> Pair {
    let g = group(n);
    let (shard, whole) = (
        format!("tensor<{extent}x5x{element}>"),
        format!("tensor<{}x5x{element}>", extent * n),
    );
    let factor = |index: usize| format!("tensor<5x{}x{element}>", 4 + index);
    let result = |index: usize| format!("tensor<{}x{}x{element}>", extent * n, 4 + index);
    let mut arguments = vec![format!("%x: {shard}")];
    let mut results = Vec::new();
    let mut clauses = String::new();
    let mut plain = format!("%g = comm.all_gather %x dim 0 over {g} : {shard} -> {whole}\n");
    let mut names = Vec::new();
    for index in 0..products {
        let (factor, result) = (factor(index), result(index));
        arguments.push(format!("%w{index}: {factor}"));
        clauses += &format!("product(%w{index} : {factor}) maps [#mk, #kn, #mn]\n");
        plain += &zeros(&format!("z{index}"), &result);
        plain += &format!(
            "%r{index} = linalg.matmul ins(%g, %w{index} : {whole}, {factor}) outs(%z{index} : {result}) -> {result}\n"
        );
        names.push(format!("%r{index}"));
        results.push(result);
    }
    if is_returned {
        clauses += "returning [0]\n";
        results.push(whole);
        names.push("%g".to_owned());
    }
    let (names, results) = (names.join(", "), results.join(", "));
    let fused = format!(
        "{names} = comm.all_gather_matmul gather(%x : {shard}) dim 0 over {g}\n{clauses} -> {results}
         return {names} : {results}"
    );
    plain += &format!("return {names} : {results}");
    let signature = format!("({}) -> ({results})", arguments.join(", "));
    let name = format!("{extent} rows of {element}, {products} product(s), returned: {is_returned}");
    pair(&name, &signature, &fused, &plain)
}

/// The contracted dimension gathered: chunks are added, from the own one on or by position.
pub fn added(n: usize, is_ordered: bool) -> Pair {
    let g = group(n);
    let k = 3 * n;
    let ordered = if is_ordered { "ordered" } else { "" };
    let fused = format!(
        "%r = comm.all_gather_matmul gather(%x : tensor<4x3xf32>) dim 1 over {g}
           product(%w : tensor<{k}x5xf32>) maps [#mk, #kn, #mn] {ordered} -> tensor<4x5xf32>
         return %r : tensor<4x5xf32>"
    );
    let mut plain = format!(
        "%g = comm.all_gather %x dim 1 over {g} : tensor<4x3xf32> -> tensor<4x{k}xf32>
         {}",
        zeros("z", "tensor<4x5xf32>")
    );
    plain += &if is_ordered {
        format!(
            "%r = linalg.matmul ins(%g, %w : tensor<4x{k}xf32>, tensor<{k}x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>"
        )
    } else {
        format!(
            "%p = comm.rank over {g} : index
             %c0 = arith.constant 0 : index
             %c1 = arith.constant 1 : index
             %c3 = arith.constant 3 : index
             %size = arith.constant {n} : index
             %r = scf.for %j = %c0 to %size step %c1 iter_args(%a = %z) -> tensor<4x5xf32> {{
               %q = arith.addi %p, %j : index
               %peer = arith.remui %q, %size : index
               %at = arith.muli %peer, %c3 : index
               %left = tensor.extract_slice %g[0, %at] [4, 3] [1, 1] : tensor<4x{k}xf32> to tensor<4x3xf32>
               %right = tensor.extract_slice %w[%at, 0] [3, 5] [1, 1] : tensor<{k}x5xf32> to tensor<3x5xf32>
               %s = linalg.matmul ins(%left, %right : tensor<4x3xf32>, tensor<3x5xf32>) outs(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
               scf.yield %s : tensor<4x5xf32>
             }}"
        )
    };
    plain += "\nreturn %r : tensor<4x5xf32>";
    let name = format!("added, ordered: {is_ordered}");
    let signature = format!("(%x: tensor<4x3xf32>, %w: tensor<{k}x5xf32>) -> tensor<4x5xf32>");
    pair(&name, &signature, &fused, &plain)
}

/// Narrow factors, a wide accumulator, a bias, and the sum rounded.
pub fn epilogue(n: usize) -> Pair {
    let (g, m) = (group(n), 4 * n);
    let fused = format!(
        "%r = comm.all_gather_matmul gather(%x : tensor<4x6xbf16>) dim 0 over {g}
           product(%w : tensor<6x5xbf16>) maps [#mk, #kn, #mn] epilogue(%b : tensor<5xf32>) maps [#column] {{
           ^bb0(%s: f32, %c: f32):
             %1 = arith.addf %s, %c : f32
             %2 = arith.truncf %1 : f32 to bf16
             comm.yield %2 : bf16
           }} -> tensor<{m}x5xbf16>
         return %r : tensor<{m}x5xbf16>"
    );
    let plain = format!(
        "%g = comm.all_gather %x dim 0 over {g} : tensor<4x6xbf16> -> tensor<{m}x6xbf16>
         {}
         %p = linalg.matmul ins(%g, %w : tensor<{m}x6xbf16>, tensor<6x5xbf16>) outs(%z : tensor<{m}x5xf32>) -> tensor<{m}x5xf32>
         %e = tensor.empty() : tensor<{m}x5xbf16>
         %r = linalg.generic {{indexing_maps = [#id, #column, #id], iterator_types = [\"parallel\", \"parallel\"]}}
           ins(%p, %b : tensor<{m}x5xf32>, tensor<5xf32>) outs(%e : tensor<{m}x5xbf16>) {{
           ^bb0(%s: f32, %c: f32, %o: bf16):
             %1 = arith.addf %s, %c : f32
             %2 = arith.truncf %1 : f32 to bf16
             linalg.yield %2 : bf16
           }} -> tensor<{m}x5xbf16>
         return %r : tensor<{m}x5xbf16>",
        zeros("z", &format!("tensor<{m}x5xf32>"))
    );
    let signature =
        format!("(%x: tensor<4x6xbf16>, %w: tensor<6x5xbf16>, %b: tensor<5xf32>) -> tensor<{m}x5xbf16>");
    pair("epilogue", &signature, &fused, &plain)
}

/// A narrow factor, scales of its rows and of blocks that travel along, and one that does not.
pub fn scales(n: usize, narrow: &str) -> Pair {
    let (g, m) = (group(n), 4 * n);
    let body = format!(
        "%1 = arith.extf %e : {narrow} to f32
             %2 = arith.mulf %1, %s : f32
             %3 = arith.mulf %2, %b : f32
             %4 = arith.mulf %3, %c : f32"
    );
    let fused = format!(
        "%r = comm.all_gather_matmul
           gather(%x, %rows, %blocks : tensor<4x6x{narrow}>, tensor<4x1xf32>, tensor<2x3xf32>) dim 0 over {g}
           prologue(%columns : tensor<6xf32>) maps [#row, #block, #column] {{
           ^bb0(%e: {narrow}, %s: f32, %b: f32, %c: f32):
             {body}
             comm.yield %4 : f32
           }}
           product(%w : tensor<6x5xf32>) maps [#mk, #kn, #mn] -> tensor<{m}x5xf32>
         return %r : tensor<{m}x5xf32>"
    );
    let plain = format!(
        "%g = comm.all_gather %x dim 0 over {g} : tensor<4x6x{narrow}> -> tensor<{m}x6x{narrow}>
         %gr = comm.all_gather %rows dim 0 over {g} : tensor<4x1xf32> -> tensor<{m}x1xf32>
         %gb = comm.all_gather %blocks dim 0 over {g} : tensor<2x3xf32> -> tensor<{half}x3xf32>
         {}
         %empty = tensor.empty() : tensor<{m}x6xf32>
         %f = linalg.generic {{indexing_maps = [#id, #row, #block, #column, #id], iterator_types = [\"parallel\", \"parallel\"]}}
           ins(%g, %gr, %gb, %columns : tensor<{m}x6x{narrow}>, tensor<{m}x1xf32>, tensor<{half}x3xf32>, tensor<6xf32>)
           outs(%empty : tensor<{m}x6xf32>) {{
           ^bb0(%e: {narrow}, %s: f32, %b: f32, %c: f32, %o: f32):
             {body}
             linalg.yield %4 : f32
           }} -> tensor<{m}x6xf32>
         %r = linalg.matmul ins(%f, %w : tensor<{m}x6xf32>, tensor<6x5xf32>) outs(%z : tensor<{m}x5xf32>) -> tensor<{m}x5xf32>
         return %r : tensor<{m}x5xf32>",
        zeros("z", &format!("tensor<{m}x5xf32>")),
        half = 2 * n,
    );
    let signature = format!(
        "(%x: tensor<4x6x{narrow}>, %rows: tensor<4x1xf32>, %blocks: tensor<2x3xf32>, %columns: tensor<6xf32>, %w: tensor<6x5xf32>)
         -> tensor<{m}x5xf32>"
    );
    pair(&format!("scales of {narrow}"), &signature, &fused, &plain)
}

/// A batched gradient: one product placed at a middle dimension, one contracted over two, of which one is gathered.
pub fn mixed(n: usize) -> Pair {
    let (g, s) = (group(n), 2 * n);
    let added = "affine_map<(m, n, b, s) -> (b, s, m)>, affine_map<(m, n, b, s) -> (b, s, n)>, affine_map<(m, n, b, s) -> (m, n)>";
    let placed = "affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (n, k)>, affine_map<(b, s, n, k) -> (b, s, n)>";
    let fused = format!(
        "%dw, %dx = comm.all_gather_matmul gather(%dy : tensor<2x2x6xf32>) dim 1 over {g}
           product(%h : tensor<2x{s}x4xf32>) maps [{added}] product(%w : tensor<4x6xf32>) maps [{placed}]
           ordered -> tensor<6x4xf32>, tensor<2x{s}x4xf32>
         return %dw, %dx : tensor<6x4xf32>, tensor<2x{s}x4xf32>"
    );
    let plain = format!(
        "%g = comm.all_gather %dy dim 1 over {g} : tensor<2x2x6xf32> -> tensor<2x{s}x6xf32>
         {}{}
         %dw = linalg.contract indexing_maps = [{added}]
           ins(%g, %h : tensor<2x{s}x6xf32>, tensor<2x{s}x4xf32>) outs(%z : tensor<6x4xf32>) -> tensor<6x4xf32>
         %dx = linalg.contract indexing_maps = [{placed}]
           ins(%g, %w : tensor<2x{s}x6xf32>, tensor<4x6xf32>) outs(%y : tensor<2x{s}x4xf32>) -> tensor<2x{s}x4xf32>
         return %dw, %dx : tensor<6x4xf32>, tensor<2x{s}x4xf32>",
        zeros("z", "tensor<6x4xf32>"),
        zeros("y", &format!("tensor<2x{s}x4xf32>"))
    );
    let signature = format!(
        "(%dy: tensor<2x2x6xf32>, %h: tensor<2x{s}x4xf32>, %w: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<2x{s}x4xf32>)"
    );
    pair("mixed", &signature, &fused, &plain)
}

/// One product, scattered along a dimension, of which each rank gets so much.
pub fn scatter(n: usize, extent: usize, element: &str, kind: &str, dim: usize) -> Pair {
    let g = group(n);
    let mut extents = [3, 4];
    extents[dim] = extent;
    let chunk = format!("tensor<{}x{}x{element}>", extents[0], extents[1]);
    extents[dim] *= n;
    let whole = format!("tensor<{}x{}x{element}>", extents[0], extents[1]);
    let left = format!("tensor<{}x5x{element}>", extents[0]);
    let right = format!("tensor<5x{}x{element}>", extents[1]);
    let fused = format!(
        "%r = comm.matmul_reduce_scatter {kind} product(%x, %w : {left}, {right}) maps [#mk, #kn, #mn]
           dim {dim} over {g} -> {chunk}
         return %r : {chunk}"
    );
    let plain = format!(
        "{}%p = linalg.matmul ins(%x, %w : {left}, {right}) outs(%z : {whole}) -> {whole}
         %r = comm.reduce_scatter {kind} %p dim {dim} over {g} : {whole} -> {chunk}
         return %r : {chunk}",
        zeros("z", &whole)
    );
    let name = format!("scatter of {element}, {kind}, {extent} of dim {dim}");
    let signature = format!("(%x: {left}, %w: {right}) -> {chunk}");
    pair(&name, &signature, &fused, &plain)
}

/// A sum of two products, sent narrow and reduced wide, with a bias, in either order.
pub fn sum(n: usize, is_ordered: bool) -> Pair {
    let (g, m) = (group(n), 4 * n);
    let ordered = if is_ordered { "ordered" } else { "" };
    let fused = format!(
        "%r = comm.matmul_reduce_scatter avg product(%x, %w : tensor<{m}x3xf32>, tensor<5x3xf32>) maps [#mk, #nk, #mn]
           product(%y, %v : tensor<{m}x2xf32>, tensor<5x2xf32>) maps [#mk, #nk, #mn]
           partial() maps [] {{
           ^bb0(%s: f32):
             %1 = arith.truncf %s : f32 to bf16
             comm.yield %1 : bf16
           }}
           dim 0 over {g} epilogue(%b : tensor<5xf32>) maps [#column] {{
           ^bb0(%s: f32, %c: f32):
             %1 = arith.addf %s, %c : f32
             comm.yield %1 : f32
           }} {ordered} -> tensor<4x5xf32>
         return %r : tensor<4x5xf32>"
    );
    let product = |result: &str, left: &str, right: &str, k: usize, onto: &str| {
        format!(
            "%{result} = linalg.matmul indexing_maps = [#mk, #nk, #mn] ins(%{left}, %{right} : tensor<{m}x{k}xf32>, tensor<5x{k}xf32>)
             outs(%{onto} : tensor<{m}x5xf32>) -> tensor<{m}x5xf32>\n"
        )
    };
    // What is reduced are the rounded numbers, in f32. By position, the gathered contributions are added one by one.
    let convert = format!(
        "%e = tensor.empty() : tensor<{m}x5xf32>
         %h = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\", \"parallel\"]}}
           ins(%q : tensor<{m}x5xf32>) outs(%e : tensor<{m}x5xf32>) {{
           ^bb0(%s: f32, %o: f32):
             %1 = arith.truncf %s : f32 to bf16
             %2 = arith.extf %1 : bf16 to f32
             linalg.yield %2 : f32
           }} -> tensor<{m}x5xf32>\n"
    );
    let reduce = if is_ordered {
        format!(
            "%a = comm.all_reduce sum %h over {g} : tensor<{m}x5xf32> -> tensor<{m}x5xf32>
             %p = comm.rank over {g} : index
             %c4 = arith.constant 4 : index
             %at = arith.muli %p, %c4 : index
             %i = tensor.extract_slice %a[%at, 0] [4, 5] [1, 1] : tensor<{m}x5xf32> to tensor<4x5xf32>\n"
        )
    } else {
        format!("%i = comm.reduce_scatter sum %h dim 0 over {g} : tensor<{m}x5xf32> -> tensor<4x5xf32>\n")
    };
    let plain = format!(
        "{}{}{}{convert}{reduce}
         %n = arith.constant {n}.0 : f32
         %f = tensor.empty() : tensor<4x5xf32>
         %r = linalg.generic {{indexing_maps = [#id, #column, #id], iterator_types = [\"parallel\", \"parallel\"]}}
           ins(%i, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%f : tensor<4x5xf32>) {{
           ^bb0(%s: f32, %c: f32, %o: f32):
             %1 = arith.divf %s, %n : f32
             %2 = arith.addf %1, %c : f32
             linalg.yield %2 : f32
           }} -> tensor<4x5xf32>
         return %r : tensor<4x5xf32>",
        zeros("z", &format!("tensor<{m}x5xf32>")),
        product("t", "x", "w", 3, "z"),
        product("q", "y", "v", 2, "t"),
    );
    let signature = format!(
        "(%x: tensor<{m}x3xf32>, %w: tensor<5x3xf32>, %y: tensor<{m}x2xf32>, %v: tensor<5x2xf32>, %b: tensor<5xf32>)
         -> tensor<4x5xf32>"
    );
    pair(&format!("sum, ordered: {is_ordered}"), &signature, &fused, &plain)
}

/// Several uses of one workspace, after each other and in a loop of four rounds.
pub fn layers(n: usize) -> Pair {
    let (g, m) = (group(n), 4 * n);
    let around = |layer: &str| {
        format!(
            "%c0 = arith.constant 0 : index
             %c2 = arith.constant 2 : index
             %c8 = arith.constant 8 : index
             %first = comm.all_reduce avg %x over {g} : tensor<4x6xf32> -> tensor<4x6xf32>
             %e = tensor.empty() : tensor<4x6xf32>
             %begin = linalg.copy ins(%first : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
             %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%a = %begin) -> tensor<4x6xf32> {{
               {layer}
               %next = linalg.copy ins(%b : tensor<4x6xf32>) outs(%a : tensor<4x6xf32>) -> tensor<4x6xf32>
               scf.yield %next : tensor<4x6xf32>
             }}
             return %r : tensor<4x6xf32>"
        )
    };
    let gather = |result: &str, from: &str| {
        format!(
            "%{result} = comm.all_gather_matmul gather(%{from} : tensor<4x6xf32>) dim 0 over {g}
               product(%w : tensor<6x4xf32>) maps [#mk, #kn, #mn] -> tensor<{m}x4xf32>\n"
        )
    };
    let scatter = |result: &str, from: &str| {
        format!(
            "%{result} = comm.matmul_reduce_scatter sum product(%{from}, %v : tensor<{m}x4xf32>, tensor<4x6xf32>) maps [#mk, #kn, #mn]
               dim 0 over {g} -> tensor<4x6xf32>\n"
        )
    };
    let fused = [
        gather("h", "a"),
        scatter("c", "h"),
        gather("k", "c"),
        scatter("b", "k"),
    ]
    .concat();
    let gathered = |result: &str, from: &str| {
        format!(
            "%{result}g = comm.all_gather %{from} dim 0 over {g} : tensor<4x6xf32> -> tensor<{m}x6xf32>
             {}%{result} = linalg.matmul ins(%{result}g, %w : tensor<{m}x6xf32>, tensor<6x4xf32>) outs(%{result}z : tensor<{m}x4xf32>) -> tensor<{m}x4xf32>\n",
            zeros(&format!("{result}z"), &format!("tensor<{m}x4xf32>"))
        )
    };
    let scattered = |result: &str, from: &str| {
        format!(
            "{}%{result}p = linalg.matmul ins(%{from}, %v : tensor<{m}x4xf32>, tensor<4x6xf32>) outs(%{result}z : tensor<{m}x6xf32>) -> tensor<{m}x6xf32>
             %{result} = comm.reduce_scatter sum %{result}p dim 0 over {g} : tensor<{m}x6xf32> -> tensor<4x6xf32>\n",
            zeros(&format!("{result}z"), &format!("tensor<{m}x6xf32>"))
        )
    };
    let plain = [
        gathered("h", "a"),
        scattered("c", "h"),
        gathered("k", "c"),
        scattered("b", "k"),
    ]
    .concat();
    let signature = "(%x: tensor<4x6xf32>, %w: tensor<6x4xf32>, %v: tensor<4x6xf32>) -> tensor<4x6xf32>";
    pair("layers in a loop", signature, &around(&fused), &around(&plain))
}

/// A scatter before the first gather.
pub fn scatter_first(n: usize) -> Pair {
    let (g, m) = (group(n), 4 * n);
    let fused = format!(
        "%a = comm.matmul_reduce_scatter sum product(%h, %v : tensor<{m}x4xf32>, tensor<4x6xf32>) maps [#mk, #kn, #mn]
           dim 0 over {g} -> tensor<4x6xf32>
         %r = comm.all_gather_matmul gather(%a : tensor<4x6xf32>) dim 0 over {g}
           product(%w : tensor<6x4xf32>) maps [#mk, #kn, #mn] -> tensor<{m}x4xf32>
         return %r : tensor<{m}x4xf32>"
    );
    let plain = format!(
        "{}{}%p = linalg.matmul ins(%h, %v : tensor<{m}x4xf32>, tensor<4x6xf32>) outs(%y : tensor<{m}x6xf32>) -> tensor<{m}x6xf32>
         %a = comm.reduce_scatter sum %p dim 0 over {g} : tensor<{m}x6xf32> -> tensor<4x6xf32>
         %g = comm.all_gather %a dim 0 over {g} : tensor<4x6xf32> -> tensor<{m}x6xf32>
         %r = linalg.matmul ins(%g, %w : tensor<{m}x6xf32>, tensor<6x4xf32>) outs(%z : tensor<{m}x4xf32>) -> tensor<{m}x4xf32>
         return %r : tensor<{m}x4xf32>",
        zeros("y", &format!("tensor<{m}x6xf32>")),
        zeros("z", &format!("tensor<{m}x4xf32>"))
    );
    let signature =
        format!("(%h: tensor<{m}x4xf32>, %w: tensor<6x4xf32>, %v: tensor<4x6xf32>) -> tensor<{m}x4xf32>");
    pair("a scatter first", &signature, &fused, &plain)
}

/// All forms for groups of `n`.
pub fn all(n: usize) -> Vec<Pair> {
    vec![
        rows(n, 3, "f32", 1, false),
        rows(n, 3, "f64", 2, n > 1),
        rows(n, 3, "bf16", 3, false),
        added(n, false),
        added(n, true),
        epilogue(n),
        scales(n, "bf16"),
        scales(n, "f8E5M2"),
        mixed(n),
        scatter(n, 3, "f32", "sum", 0),
        scatter(n, 4, "f64", "max", 1),
        scatter(n, 3, "bf16", "avg", 0),
        sum(n, false),
        sum(n, true),
        layers(n),
        scatter_first(n),
    ]
}

/// The passes that lower such a program to streams, with options of `convert-comm-to-stream`.
pub fn to_streams(options: &str) -> String {
    format!(
        "builtin.module(canonicalize,cse,empty-tensor-to-alloc-tensor,one-shot-bufferize{{bufferize-function-boundaries=1 \
         function-boundary-type-conversion=identity-layout-map}},convert-comm-to-stream{{{options}}},canonicalize,cse)"
    )
}
