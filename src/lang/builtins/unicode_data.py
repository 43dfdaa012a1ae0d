#!/usr/bin/env python3
"""Writes unicode_data.c from Python's copy of the Unicode Character Database."""

import sys
import unicodedata

CODES = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def ranges(mapping):
    """(first, last, stride, delta) over a dict of code point -> delta; no two overlap."""
    out = []
    for code in sorted(mapping):
        delta = mapping[code]
        if out:
            first, last, stride, last_delta = out[-1]
            step = code - last
            if delta == last_delta and (step == stride or (first == last and step <= 2)):
                out[-1] = (first, code, step, delta)
                continue
        out.append((code, code, 1, delta))
    return out


def simple(code, full):
    """The one-to-one mapping; full mappings to several characters have it as title case."""
    char = chr(code)
    if len(full(char)) == 1:
        return ord(full(char))
    if full is str.upper and len(char.title()) == 1:
        return ord(char.title())
    return {0x130: 0x69}.get(code, code) if full is str.lower else code


def mapping(full):
    return {c: simple(c, full) - c for c in CODES if simple(c, full) != c}


def members(test):
    return {c: 0 for c in CODES if test(c)}


def category(code):
    return unicodedata.category(chr(code))


def title_map():
    """Where title case is not upper case."""
    out = {}
    for c in CODES:
        title = chr(c).title()
        if len(title) == 1 and ord(title) != simple(c, str.upper):
            out[c] = ord(title) - c
    return out


TABLES = {
    "alpha": members(lambda c: category(c)[0] == "L"),
    "mark": members(lambda c: category(c)[0] == "M"),
    "digit": members(lambda c: category(c) == "Nd"),
    "space": members(lambda c: chr(c).isspace()),
    "is_upper": members(lambda c: chr(c).isupper()),
    "is_lower": members(lambda c: chr(c).islower()),
    "is_title": members(lambda c: category(c) == "Lt"),
    "to_upper": mapping(str.upper),
    "to_lower": mapping(str.lower),
    "to_title": title_map(),
}


def main():
    out = sys.stdout
    out.write("/* Made by unicode_data.py from Unicode %s; do not edit. */\n" %
              unicodedata.unidata_version)
    out.write('#include "lang/unicode.h"\n\n/* clang-format off */\n')
    for name, table in TABLES.items():
        rows = ranges(table)
        out.write("static const struct unicode_range %s[] = {\n" % name)
        line = "   "
        for row in rows:
            item = " {0x%X, 0x%X, %d, %d}," % row
            if len(line) + len(item) > 100:
                out.write(line + "\n")
                line = "   "
            line += item
        out.write(line + "\n};\n")
        out.write("const struct unicode_table unicode_data_%s = {%s, %d};\n\n" %
                  (name, name, len(rows)))
    out.write("/* clang-format on */\n")


main()
