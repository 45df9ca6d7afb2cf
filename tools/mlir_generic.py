# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's generic form as a tree: read, print, rename.

Only the structure is understood: ops, operands, regions, blocks, and the entries of the attribute dictionaries. Attributes
and types stay text, so any dialect passes through. Invariant: printing what was read gives the same text, if MLIR printed
it without aliases and locations; a text with them is refused, since they would lose their place.

Deliberately absent: verification, and every form but the generic one.
"""

import re
from collections import ChainMap
from dataclasses import dataclass, field, replace
from itertools import count


class FormatError(ValueError):
    """The text is not a module in generic form."""


@dataclass
class Block:
    """A block: its label (`^bb0`, or empty when not printed), arguments as (name, type), and ops."""

    label: str
    arguments: list
    ops: list


@dataclass
class Op:
    """An op in generic form. What needs no understanding stays text: successors, the dictionaries, the type."""

    results: str  # "%0", "%0:2" or ""
    name: str
    operands: list
    successors: str
    properties: dict  # of <{...}>
    regions: list  # each a list of blocks
    attributes: dict  # of {...}
    type: str
    children: list = field(init=False, repr=False)

    def __post_init__(self):
        self.children = [op for region in self.regions for block in region for op in block.ops]


_DELIMITER = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\](){}]')
_SEPARATOR = re.compile(r'"(?:[^"\\]|\\.)*"|->|[\[\](){}<>,]')
_OP = re.compile(r'(?:(%[\w$.:-]+) = )?"([^"]+)"\(([^)]*)\)(\[[^\]]*\])?')
_LABEL = re.compile(r"\^[\w$.-]+")
_SPACE = re.compile(r"(?:\s|//[^\n]*)*")
_LINE = re.compile(r"[^\n]*")


def split(text):
    """The parts of a list at its commas, those inside brackets or strings excepted."""
    parts, depth, start = [], 0, 0
    for token in _SEPARATOR.finditer(text):
        kind = token.group()
        if kind in ("(", "[", "{", "<"):
            depth += 1
        elif kind in (")", "]", "}", ">"):
            depth -= 1
        elif kind == "," and depth == 0:
            parts.append(text[start : token.start()].strip())
            start = token.end()
    last = text[start:].strip()
    return parts + [last] if last else parts


def dictionary(text):
    """The entries of an attribute dictionary, in order; a unit attribute has the value None."""
    pairs = (entry.partition(" = ") for entry in split(text))
    return {key: value if equals else None for key, equals, value in pairs}


class _Parser:
    """Reads a module in generic form, printed without locations."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def fail(self, message):
        line = self.text.count("\n", 0, self.at) + 1
        found = _LINE.match(self.text, self.at).group()[:60]
        raise FormatError(f"line {line}: {message}, found `{found}`")

    def skip_space(self):
        self.at = _SPACE.match(self.text, self.at).end()

    def take(self, literal):
        found = self.text.startswith(literal, self.at)
        if found:
            self.at += len(literal)
        return found

    def expect(self, literal):
        if not self.take(literal):
            self.fail(f"expected `{literal}`")

    def bracketed(self):
        """The text inside the brackets that were just opened; moves behind the closing one."""
        start, depth = self.at, 1
        for token in _DELIMITER.finditer(self.text, start):
            kind = token.group()
            if kind in ("(", "[", "{"):
                depth += 1
            elif kind in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    self.at = token.end()
                    return self.text[start : token.start()]
        self.fail("a bracket is not closed")

    def module(self):
        """The whole text."""
        self.skip_space()
        if not self.text.startswith('"builtin.module"', self.at):
            self.fail('expected `"builtin.module"` in generic form, without aliases and locations')
        module = self.op()
        self.skip_space()
        if self.at != len(self.text):
            self.fail("expected the end of the text")
        return module

    def op(self):
        head = _OP.match(self.text, self.at)
        if not head:
            self.fail("expected an op in generic form")
        self.at = head.end()
        results, name, operands, successors = head.groups(default="")
        properties, regions, attributes = {}, [], {}
        if self.take(" <{"):
            properties = dictionary(self.bracketed())
            self.expect(">")
        if self.take(" ({"):
            regions.append(self.region())
            while self.take(", {"):
                regions.append(self.region())
            self.expect(")")
        if self.take(" {"):
            attributes = dictionary(self.bracketed())
        self.expect(" : ")
        type_ = _LINE.match(self.text, self.at).group()
        if " loc(" in type_:
            self.fail("expected a module printed without locations")
        self.at += len(type_)
        return Op(results, name, split(operands), successors, properties, regions, attributes, type_)

    def region(self):
        blocks = []
        while True:
            self.skip_space()
            if self.take("}"):
                return blocks
            label = _LABEL.match(self.text, self.at)
            if label:
                self.at = label.end()
                arguments = split(self.bracketed()) if self.take("(") else []
                self.expect(":")
                blocks.append(Block(label.group(), [tuple(a.split(": ", 1)) for a in arguments], []))
            else:
                if not blocks:
                    blocks.append(Block("", [], []))
                blocks[-1].ops.append(self.op())


def parse(text):
    """The module of a text in generic form."""
    return _Parser(text).module()


def braced(entries):
    return "{" + ", ".join(key if value is None else f"{key} = {value}" for key, value in entries.items()) + "}"


def _lines(op, indent):
    text = indent + (f"{op.results} = " if op.results else "") + f'"{op.name}"({", ".join(op.operands)}){op.successors}'
    if op.properties:
        text += f" <{braced(op.properties)}>"
    if op.regions:
        text += " ("
        for number, region in enumerate(op.regions):
            yield text + ("{" if number == 0 else indent + "}, {")
            text = ""
            for block in region:
                if block.label:
                    arguments = ", ".join(f"{name}: {type_}" for name, type_ in block.arguments)
                    yield f"{indent}{block.label}({arguments}):" if arguments else f"{indent}{block.label}:"
                for inner in block.ops:
                    yield from _lines(inner, indent + "  ")
        text = indent + "})"
    if op.attributes:
        text += " " + braced(op.attributes)
    yield f"{text} : {op.type}"


def to_text(op):
    """The op in generic form, as MLIR prints it."""
    return "\n".join(_lines(op, "")) + "\n"


class Names:
    """Gives the values of one function new names. Sibling regions may use one name twice, so a body that moves into
    another needs them."""

    def __init__(self):
        self.values = count()
        self.arguments = count()

    def argument(self):
        return f"%arg{next(self.arguments)}"

    def op(self, op, known):
        """A copy of the op under new names; `known` maps the uses seen so far and gets the op's results."""
        results = op.results
        if results:
            old, colon, number = results.partition(":")
            new = f"%{next(self.values)}"
            results = new + colon + number
            known[old] = new
            for index in range(int(number) if number else 0):
                known[f"{old}#{index}"] = f"{new}#{index}"
        regions = [[self.block(block, known.new_child()) for block in region] for region in op.regions]
        try:
            operands = [known[operand] for operand in op.operands]
        except KeyError as missing:
            raise FormatError(f"{op.name} uses {missing.args[0]}, which is not defined before it") from None
        return replace(op, results=results, operands=operands, regions=regions)

    def block(self, block, known):
        arguments = []
        for old, type_ in block.arguments:
            known[old] = self.argument()
            arguments.append((known[old], type_))
        return Block(block.label, arguments, [self.op(op, known) for op in block.ops])


def renumbered(module):
    """The module with all values renamed in the order of their appearance: two modules that differ in names alone become
    equal."""
    return Names().op(module, ChainMap())
