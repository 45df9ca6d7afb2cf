// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Runs a block on n devices in step. Knows the ops of the programs under test and panics at others.

use std::collections::HashMap;

use melior::ir::{
    BlockLike, BlockRef, OperationRef, RegionLike, RegionRef, Value, ValueLike, operation::OperationLike,
};

use crate::{
    attributes::{Map, array, contract, group_of, integer, integers, list_in, text},
    tensor::{Tensor, indices},
};

/// One tensor a device.
type Devices = Vec<Tensor>;

fn key<'c>(value: impl ValueLike<'c>) -> usize {
    value.to_raw().ptr as usize
}

fn shape_of<'c>(value: impl ValueLike<'c>) -> Vec<usize> {
    let text = value.r#type().to_string();
    let Some(inner) = text.strip_prefix("tensor<") else {
        return Vec::new();
    };
    inner.split('x').map_while(|size| size.parse().ok()).collect()
}

/// What the block returns on each of its devices, whose arguments are small integers of their own.
pub(crate) fn run(block: BlockRef, devices: usize) -> Vec<Devices> {
    let mut machine = Machine {
        devices,
        values: HashMap::new(),
    };
    for index in 0..block.argument_count() {
        let argument = block.argument(index).expect("in range");
        let shape = shape_of(argument);
        let make = |device: usize| {
            let mut seed = 17 * index + 31 * device + 5;
            Tensor::make(&shape, |_| {
                seed = (seed * 1_103_515_245 + 12_345) % (1 << 31);
                (seed >> 16) as f64 % 5.0 - 2.0
            })
        };
        machine
            .values
            .insert(key(argument), (0..devices).map(make).collect());
    }
    machine.block(block)
}

struct Machine {
    devices: usize,
    values: HashMap<usize, Devices>,
}

impl Machine {
    fn block(&mut self, block: BlockRef) -> Vec<Devices> {
        let mut next = block.first_operation();
        while let Some(op) = next {
            let name = op.name().as_string_ref().as_str().expect("UTF-8").to_owned();
            let operands: Vec<Devices> = op.operands().map(|operand| self.of(operand)).collect();
            if matches!(&name[..], "func.return" | "comm.yield" | "linalg.yield") {
                return operands;
            }
            let results = self.op(&name, op, &operands);
            for (index, result) in results.into_iter().enumerate() {
                let value = op.result(index).expect("in range");
                if value.r#type().to_string().starts_with("tensor") {
                    assert_eq!(shape_of(value), result[0].shape, "{op}");
                }
                self.values.insert(key(value), result);
            }
            next = op.next_in_block();
        }
        panic!("a block without an end");
    }

    fn of(&self, value: Value) -> Devices {
        self.values[&key(value)].clone()
    }

    fn each(&self, make: impl FnMut(usize) -> Tensor) -> Devices {
        (0..self.devices).map(make).collect()
    }

    fn op(&mut self, name: &str, op: OperationRef, operands: &[Devices]) -> Vec<Devices> {
        let shape = || shape_of(op.result(0).expect("a result"));
        let x = operands.first();
        let map1 = |apply: fn(f64) -> f64| x.expect("an operand").iter().map(|t| t.map(apply)).collect();
        let map2 = |combine: fn(f64, f64) -> f64| {
            let pairs = operands[0].iter().zip(&operands[1]);
            pairs.map(|(a, b)| a.zip(b, combine)).collect()
        };
        vec![match name {
            "stablehlo.add" | "arith.addf" => map2(|a, b| a + b),
            "stablehlo.multiply" | "arith.mulf" => map2(|a, b| a * b),
            "arith.divf" => map2(|a, b| a / b),
            "arith.negf" => map1(|a| -a),
            "math.exp" => map1(f64::exp),
            // As the pass spells it on scalars.
            "stablehlo.logistic" => map1(|a| 1.0 / (1.0 + (-a).exp())),
            "stablehlo.convert" | "arith.extf" | "arith.truncf" => operands[0].clone(),
            "comm.wait" => operands[0].clone(),
            "tensor.empty" => self.each(|_| Tensor::make(&shape(), |_| f64::NAN)),
            "arith.constant" => {
                let text = text(op, "value");
                let number = text.split(" :").next().expect("a number");
                self.each(|_| Tensor::scalar(number.parse().expect("a float")))
            }
            "linalg.fill" => {
                let filled = |device: usize| Tensor::make(&shape(), |_| operands[0][device].at(&[]));
                self.each(filled)
            }
            "stablehlo.transpose" => {
                let order = array(op, "permutation");
                self.each(|device| {
                    Tensor::make(&shape(), |index| {
                        let mut from = vec![0; order.len()];
                        order.iter().zip(index).for_each(|(&dim, &at)| from[dim] = at);
                        operands[0][device].at(&from)
                    })
                })
            }
            "stablehlo.broadcast_in_dim" => {
                let dims = array(op, "broadcast_dimensions");
                self.each(|device| {
                    let source = &operands[0][device];
                    Tensor::make(&shape(), |index| {
                        let at = dims.iter().zip(&source.shape);
                        let at: Vec<usize> = at
                            .map(|(&dim, &size)| if size == 1 { 0 } else { index[dim] })
                            .collect();
                        source.at(&at)
                    })
                })
            }
            "stablehlo.slice" => {
                let begin = array(op, "start_indices");
                self.each(|device| {
                    Tensor::make(&shape(), |index| {
                        let at: Vec<usize> = index
                            .iter()
                            .zip(&begin)
                            .map(|(index, begin)| index + begin)
                            .collect();
                        operands[0][device].at(&at)
                    })
                })
            }
            "stablehlo.concatenate" => {
                let dim = integer(op, "dimension");
                self.each(|device| {
                    let pieces: Vec<Tensor> =
                        operands.iter().map(|operand| operand[device].clone()).collect();
                    Tensor::join(&pieces, dim)
                })
            }
            "stablehlo.dot_general" => {
                let maps = dot_maps(op, &operands[0][0], &operands[1][0]);
                self.each(|device| contract(&operands[0][device], &operands[1][device], &maps))
            }
            "linalg.matmul" => {
                let maps = [[0, 2], [2, 1], [0, 1]].map(|dims| Map::of_dims(&dims));
                self.each(|device| contract(&operands[0][device], &operands[1][device], &maps))
            }
            "linalg.generic" => self.generic(op, operands),
            "comm.all_gather" => self.gather(op, &operands[0], array(op, "dims")[0]),
            "comm.all_reduce" => self.reduce(op, &operands[0]),
            "comm.reduce_scatter" => {
                let reduced = self.reduce(op, &operands[0]);
                self.scatter(op, &reduced, array(op, "dims")[0])
            }
            "comm.permute" => {
                let pairs = integers(text(op, "pairs").trim_start_matches("array<i64"));
                self.each(|device| {
                    let source = pairs.chunks(2).find(|pair| pair[1] == device);
                    source.map_or_else(
                        || operands[0][device].map(|_| 0.0),
                        |pair| operands[0][pair[0]].clone(),
                    )
                })
            }
            "comm.all_gather_matmul" => return self.gather_matmul(op, operands),
            "comm.matmul_reduce_scatter" => self.matmul_scatter(op, operands),
            other => panic!("cannot interpret {other}"),
        }]
    }

    fn gather(&self, op: OperationRef, shards: &Devices, dim: usize) -> Devices {
        self.each(|device| {
            let pieces: Vec<Tensor> = group_of(op, device)
                .into_iter()
                .map(|rank| shards[rank].clone())
                .collect();
            Tensor::join(&pieces, dim)
        })
    }

    fn reduce(&self, op: OperationRef, operand: &Devices) -> Devices {
        let kind = text(op, "kind");
        self.each(|device| {
            let group = group_of(op, device);
            let contributions = group.iter().map(|&rank| operand[rank].clone());
            let sum = contributions
                .reduce(|a, b| a.zip(&b, |a, b| a + b))
                .expect("a member");
            match &kind[..] {
                "#comm.reduction<sum>" => sum,
                "#comm.reduction<avg>" => sum.map(|value| value / group.len() as f64),
                other => panic!("cannot reduce by {other}"),
            }
        })
    }

    fn scatter(&self, op: OperationRef, reduced: &Devices, dim: usize) -> Devices {
        self.each(|device| {
            let group = group_of(op, device);
            let position = group.iter().position(|&rank| rank == device).expect("a member");
            let size = reduced[device].shape[dim] / group.len();
            reduced[device].piece(dim, position * size, size)
        })
    }

    fn generic(&mut self, op: OperationRef, operands: &[Devices]) -> Devices {
        let maps = Map::all(&text(op, "indexing_maps"));
        if text(op, "iterator_types").contains("reduction") {
            return self.each(|device| contract(&operands[0][device], &operands[1][device], &maps));
        }
        let shape = shape_of(op.result(0).expect("a result"));
        self.pointwise(op.region(0).expect("a body"), &shape, operands, &maps)
    }

    /// A region on one element of each operand, all over `shape`. Without a block, the first operand.
    fn pointwise(
        &mut self,
        region: RegionRef,
        shape: &[usize],
        operands: &[Devices],
        maps: &[Map],
    ) -> Devices {
        let Some(block) = region.first_block() else {
            return operands[0].clone();
        };
        assert_eq!(block.argument_count(), operands.len());
        let mut results: Vec<Vec<f64>> = vec![Vec::new(); self.devices];
        for index in indices(shape) {
            for (number, (operand, map)) in operands.iter().zip(maps).enumerate() {
                let element = |device: usize| Tensor::scalar(operand[device].at(&map.apply(&index)));
                let elements = self.each(element);
                self.values
                    .insert(key(block.argument(number).expect("in range")), elements);
            }
            let yielded = self.block(block).remove(0);
            results
                .iter_mut()
                .zip(yielded)
                .for_each(|(all, element)| all.push(element.at(&[])));
        }
        let make = |data: Vec<f64>| Tensor {
            shape: shape.to_vec(),
            data,
        };
        results.into_iter().map(make).collect()
    }

    /// As above, where the maps of the operands after the first `first` stand in an attribute.
    fn clause(&mut self, region: RegionRef, first: &[Devices], rest: &[Devices], maps: Vec<Map>) -> Devices {
        let shape = first[0][0].shape.clone();
        let identity: Vec<usize> = (0..shape.len()).collect();
        let mut all_maps = vec![Map::of_dims(&identity)];
        all_maps.extend(maps);
        let operands: Vec<Devices> = first.iter().chain(rest).cloned().collect();
        self.pointwise(region, &shape, &operands, &all_maps)
    }

    /// The fused op by its definition.
    fn gather_matmul(&mut self, op: OperationRef, operands: &[Devices]) -> Vec<Devices> {
        let sizes = segments(op);
        let (gathered, rest) = operands.split_at(sizes[0]);
        let (prologue, rest) = rest.split_at(sizes[1]);
        let (factors, epilogue) = rest.split_at(sizes[2]);
        let dims = array(op, "dims");
        let whole: Vec<Devices> = gathered
            .iter()
            .enumerate()
            .map(|(index, shards)| self.gather(op, shards, *dims.get(index).unwrap_or(&dims[0])))
            .collect();
        let maps = Map::all(&text(op, "prologue_maps"));
        let factor = self.clause(op.region(0).expect("a prologue"), &whole, prologue, maps);
        let product_maps = Map::all(&text(op, "product_maps"));
        let mut epilogue_maps = Map::all(&text(op, "epilogue_maps")).into_iter();
        let counts = array(op, "epilogue_counts");
        let mut epilogue = epilogue.iter().cloned();
        let mut results = Vec::new();
        for (index, other) in factors.iter().enumerate() {
            let maps = &product_maps[3 * index..3 * index + 3];
            let product = self.each(|device| contract(&factor[device], &other[device], maps));
            let operands: Vec<Devices> = epilogue.by_ref().take(counts[index]).collect();
            let maps: Vec<Map> = epilogue_maps.by_ref().take(counts[index]).collect();
            let region = op.region(1 + index).expect("an epilogue");
            results.push(self.clause(region, &[product], &operands, maps));
        }
        results.extend(
            array(op, "returned")
                .into_iter()
                .map(|index| whole[index].clone()),
        );
        results
    }

    /// The fused op by its definition.
    fn matmul_scatter(&mut self, op: OperationRef, operands: &[Devices]) -> Devices {
        let sizes = segments(op);
        let (factors, rest) = operands.split_at(sizes[0]);
        let (partial, epilogue) = rest.split_at(sizes[1]);
        let maps = Map::all(&text(op, "product_maps"));
        let products = factors.chunks(2).zip(maps.chunks(3));
        let sum = products
            .map(|(pair, maps)| self.each(|device| contract(&pair[0][device], &pair[1][device], maps)))
            .reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a.zip(b, |a, b| a + b)).collect())
            .expect("a product");
        let maps = Map::all(&text(op, "partial_maps"));
        let sent = self.clause(op.region(0).expect("a region"), &[sum], partial, maps);
        let reduced = self.reduce(op, &sent);
        let chunk = self.scatter(op, &reduced, integer(op, "dim"));
        let maps = Map::all(&text(op, "epilogue_maps"));
        self.clause(op.region(1).expect("a region"), &[chunk], epilogue, maps)
    }
}

fn segments(op: OperationRef) -> Vec<usize> {
    let text = text(op, "operandSegmentSizes");
    integers(text.strip_prefix("array<i32").expect("an array of i32"))
}

/// Batch, rows, columns and contracted loops of a `dot_general`.
fn dot_maps(op: OperationRef, left: &Tensor, right: &Tensor) -> Vec<Map> {
    let text = text(op, "dot_dimension_numbers");
    let side = |tensor: &Tensor, side: &str, loops: &mut usize| {
        let batch = list_in(&text, &format!("{side}_batching_dimensions"));
        let contracted = list_in(&text, &format!("{side}_contracting_dimensions"));
        let mut dims = vec![usize::MAX; tensor.shape.len()];
        batch
            .iter()
            .enumerate()
            .for_each(|(number, &dim)| dims[dim] = number);
        // The contracted loops come after all others, whose number is not known yet.
        contracted
            .iter()
            .enumerate()
            .for_each(|(number, &dim)| dims[dim] = 1000 + number);
        *loops = (*loops).max(batch.len());
        for dim in dims.iter_mut().filter(|dim| **dim == usize::MAX) {
            *dim = *loops;
            *loops += 1;
        }
        dims
    };
    let mut loops = 0;
    let sides = [side(left, "lhs", &mut loops), side(right, "rhs", &mut loops)];
    let place = |dim: usize| if dim >= 1000 { loops + dim - 1000 } else { dim };
    let mut maps: Vec<Map> = sides
        .map(|dims| Map::of_dims(&dims.into_iter().map(place).collect::<Vec<_>>()))
        .into();
    maps.push(Map::of_dims(&(0..loops).collect::<Vec<_>>()));
    maps
}
