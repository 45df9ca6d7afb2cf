// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Arrays in numpy's files: `.npy` holds one, `.npz` is a zip archive of several by name.
//!
//! Formats: numpy's `numpy.lib.format`, versions 1 to 3, by npyz. Only what tensors are made of is read: floats, integers,
//! booleans, in row-major order and this machine's byte order. `bfloat16` has no code in numpy; JAX and ml_dtypes save it
//! as raw pairs of bytes, `|V2`, and so does this module.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::Path,
};

use comm_runtime::Element;
use npyz::{DType, NpyHeader, Order, TypeStr, WriterBuilder};
use thiserror::Error;
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::Array;

/// Why a file was not read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file system, or the format.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The archive.
    #[error("{0}")]
    Archive(#[from] zip::result::ZipError),
    /// An array that is no tensor.
    #[error("array '{name}' {problem}")]
    Array {
        /// Its name in the archive; empty for a file of one.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// Reads a file of one array.
pub fn read_npy(path: &Path) -> Result<Array, FileError> {
    read_array("", BufReader::new(File::open(path)?))
}

/// Reads all arrays of an archive, by name.
pub fn read_npz(path: &Path) -> Result<BTreeMap<String, Array>, FileError> {
    read_archive(BufReader::new(File::open(path)?))
}

fn read_archive(reader: impl Read + Seek) -> Result<BTreeMap<String, Array>, FileError> {
    let mut archive = ZipArchive::new(reader)?;
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        let Some(name) = npyz::npz::array_name_from_file_name(entry.name()).map(str::to_owned) else {
            continue;
        };
        let array = read_array(&name, entry)?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}

/// Writes arrays by name, uncompressed, as `numpy.savez` does.
pub fn write_npz(path: &Path, arrays: &[(String, Array)]) -> Result<(), FileError> {
    write_archive(BufWriter::new(File::create(path)?), arrays)
}

fn write_archive(writer: impl Write + Seek, arrays: &[(String, Array)]) -> Result<(), FileError> {
    let mut archive = ZipWriter::new(writer);
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .large_file(true);
    for (name, array) in arrays {
        archive.start_file(npyz::npz::file_name_from_array_name(name), options)?;
        write_array(&mut archive, array)?;
    }
    archive.finish()?.flush()?;
    Ok(())
}

fn read_array(name: &str, mut reader: impl Read) -> Result<Array, FileError> {
    let refuse = |problem: String| FileError::Array {
        name: name.to_owned(),
        problem,
    };
    let header = NpyHeader::from_reader(&mut reader)?;
    let descr = match header.dtype() {
        DType::Plain(descr) => descr.to_string(),
        other => {
            return Err(refuse(format!(
                "has elements of the structured type {}",
                other.descr()
            )));
        }
    };
    let element = element_of(&descr).ok_or_else(|| {
        refuse(format!(
            "has elements of type '{descr}'; expected floats, integers, booleans, or '|V2' for bfloat16, in this \
             machine's byte order"
        ))
    })?;
    let sizes: Result<Vec<usize>, _> = header.shape().iter().map(|&size| usize::try_from(size)).collect();
    let shape = sizes.map_err(|_| refuse("is larger than this machine's memory".to_owned()))?;
    if header.order() == Order::Fortran && shape.iter().filter(|&&size| size > 1).count() > 1 {
        return Err(refuse(
            "is in column-major order; expected row-major, as numpy.ascontiguousarray makes it".to_owned(),
        ));
    }
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    let found = bytes.len();
    Array::new(element, shape.clone(), bytes).ok_or_else(|| {
        refuse(format!(
            "has {found} bytes of elements, which does not fit its shape {shape:?}"
        ))
    })
}

fn write_array(writer: impl Write, array: &Array) -> Result<(), FileError> {
    let descr: TypeStr = code_of(array.element())
        .parse()
        .map_err(|error| io::Error::other(format!("{error}")))?;
    let shape: Vec<u64> = array.shape().iter().map(|&size| size as u64).collect();
    let mut writer = npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(descr))
        .shape(&shape)
        .writer(writer)
        .write_header_only()?;
    writer.write_all(array.bytes())?;
    Ok(())
}

const LITTLE: bool = cfg!(target_endian = "little");

/// The element type that a numpy code stands for.
fn element_of(descr: &str) -> Option<Element> {
    let (order, code) = descr.split_at_checked(1)?;
    let is_native = match order {
        "|" | "=" => true,
        "<" => LITTLE,
        ">" => !LITTLE,
        _ => false,
    };
    let is_single = matches!(code, "b1" | "i1" | "u1" | "V2");
    if !is_native && !is_single {
        return None;
    }
    Some(match code {
        "f8" => Element::F64,
        "f4" => Element::F32,
        "f2" => Element::F16,
        "V2" => Element::Bf16,
        "i8" => Element::I64,
        "i4" => Element::I32,
        "i2" => Element::I16,
        "i1" => Element::I8,
        "u8" => Element::U64,
        "u4" => Element::U32,
        "u2" => Element::U16,
        "u1" => Element::U8,
        "b1" => Element::I1,
        _ => return None,
    })
}

fn code_of(element: Element) -> String {
    let code = match element {
        Element::F64 => "f8",
        Element::F32 => "f4",
        Element::F16 => "f2",
        Element::Bf16 => return "|V2".to_owned(),
        Element::I64 => "i8",
        Element::I32 => "i4",
        Element::I16 => "i2",
        Element::I8 => return "|i1".to_owned(),
        Element::U64 => "u8",
        Element::U32 => "u4",
        Element::U16 => "u2",
        Element::U8 => return "|u1".to_owned(),
        Element::I1 => return "|b1".to_owned(),
    };
    format!("{}{code}", if LITTLE { '<' } else { '>' })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use comm_runtime::Element;

    use super::*;

    #[test]
    fn every_element_type_survives_a_file() {
        let arrays: Vec<(String, Array)> = Element::ALL
            .into_iter()
            .map(|element| {
                let bytes: Vec<u8> = (0..6 * element.bytes()).map(|byte| byte as u8 & 1).collect();
                let array = Array::new(element, vec![2, 3], bytes).expect("as many bytes as the shape needs");
                (format!("in_{element}"), array)
            })
            .collect();
        let mut file = Cursor::new(Vec::new());
        write_archive(&mut file, &arrays).expect("memory can be written to");
        file.set_position(0);
        let read = read_archive(file).expect("what was written can be read");
        assert_eq!(read.into_iter().collect::<Vec<_>>(), {
            let mut sorted = arrays;
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            sorted
        });
    }

    #[test]
    fn scalars_and_empty_arrays_have_files() {
        for shape in [vec![], vec![0, 4]] {
            let count: usize = shape.iter().product();
            let array = Array::new(Element::F32, shape, vec![0; 4 * count]).expect("as many bytes as needed");
            let mut bytes = Vec::new();
            write_array(&mut bytes, &array).expect("memory can be written to");
            assert_eq!(
                read_array("", &*bytes).expect("what was written can be read"),
                array
            );
        }
    }

    #[test]
    fn what_is_no_tensor_is_refused_by_name() {
        let mut bytes = Vec::new();
        let array = Array::new(Element::F32, vec![1], vec![0; 4]).expect("one number");
        write_array(&mut bytes, &array).expect("memory can be written to");
        let text = bytes.iter().map(|&byte| byte as char).collect::<String>();
        let swapped: Vec<u8> = text.replace("<f4", ">f4").chars().map(|c| c as u8).collect();
        let error = read_array("w", &*swapped)
            .expect_err("the other byte order")
            .to_string();
        assert!(
            error.starts_with("array 'w' has elements of type '>f4'"),
            "{error}"
        );
        bytes.pop();
        let error = read_array("w", &*bytes)
            .expect_err("a byte is missing")
            .to_string();
        assert!(error.contains("3 bytes"), "{error}");
    }
}
