#!/usr/bin/env python3
"""check_pages.py [--write|--self-test]: what pages quote and link to is there.

A block of code behind a line `<!-- FILE [part] -->` is the part of FILE from a line `// [part]` (or `# [part]`) to the
next `[end]`; without a part it is the whole file; of a block of text, each line is somewhere in FILE. `--write` copies
code. C++, C, Rust, Python, CMake and shell in docs/ and README is quoted in this way, but for pages that other checks
hold, and shell in README that no test can run. Links lead to files and headings that exist. A page of docs/how_to/ has
at most ten lines of code, each of one statement. Prose has lines of 120 columns at most, which `--write` makes. Files of tests and examples that a
page names are there; a row of docs/questions.md that quotes a test case names the file that has it.
"""

import os
import re
import sys
import textwrap

checked_elsewhere = ("docs/errors/", "docs/decisions/")
languages = {"cpp", "c", "rust", "python", "cmake", "sh"}
lines_of_how_to = 10


def part_of(path, part):
    lines = open(path, encoding="utf-8").read().splitlines()
    if part is None:
        shown = [l for l in lines if not re.match(r"\s*(//|#) *(CHECK|RUN|needs:|\[)", l)]
        return "\n".join(shown).rstrip().splitlines()  # blank lines stood before the CHECK lines
    start = [i for i, l in enumerate(lines) if re.fullmatch(rf"\s*(//|#) \[{re.escape(part)}\]", l)]
    if len(start) != 1:
        raise ValueError(f"{path} has {len(start)} parts [{part}]")
    end = next((i for i, l in enumerate(lines) if i > start[0] and re.fullmatch(r"\s*(//|#) \[end\]", l)), None)
    if end is None:
        raise ValueError(f"{path}: [{part}] has no [end]")
    return textwrap.dedent("\n".join(lines[start[0] + 1 : end])).splitlines()


def anchors_of(path):
    """As GitHub and mkdocs make them of headings."""
    found, fenced = set(), False
    for line in open(path, encoding="utf-8"):
        fenced ^= line.startswith("```")
        if not fenced and (m := re.match(r"#+ (.*)", line)):
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", m[1].strip()).lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


columns = 120
point = re.compile(r"( *)((?:[-*+]|\d+[.)]) )?(.*)")
no_prose = re.compile(r" *(```|[#|<>]|$)")  # fences, headings, tables, comments, quotations


def broken(words, first, rest):
    """Words in lines: a code span and what stands beside it is one word."""
    lines = [first + words[0]]
    for word in words[1:]:
        begins_block = re.match(r"([-*+>#|]|\d+[.)])", word)  # at the beginning of a line it would
        if len(lines[-1]) + 1 + len(word) <= columns or begins_block:
            lines[-1] += " " + word
        else:
            lines.append(rest + word)
    return lines


def wrapped(lines):
    """Paragraphs and points of lists that have a longer line than `columns` are broken anew."""
    out, fenced, i = [], False, 0
    while i < len(lines):
        fenced ^= lines[i].lstrip().startswith("```")
        if fenced or no_prose.match(lines[i]):
            out.append(lines[i])
            i += 1
            continue
        indent, mark, _ = point.match(lines[i]).groups(default="")
        end = i + 1
        while end < len(lines) and not no_prose.match(lines[end]) and not point.match(lines[end])[2]:
            end += 1
        block = lines[i:end]
        if any(len(l) > columns for l in block):
            words = re.findall(r"(?:`[^`]*`|\S)+", " ".join(l.strip() for l in block)[len(mark):])
            block = broken(words, indent + mark, indent + " " * len(mark))
        out += block
        i = end
    return out


def is_quoted(page, language):
    """Is code of this language quoted in this page?"""
    if page == "README.md":
        return language in languages - {"sh"}
    return language in languages and page.startswith("docs/") and not page.startswith(checked_elsewhere)


def is_code(line):
    """Neither blank nor a comment."""
    return not re.fullmatch(r"\s*((//|#(?!include|define)).*)?", line)


def is_squeezed(line, language):
    """Of C and its like, and Python: has a line more than one statement? What stands in strings, comments and the
    parentheses of a `for`, or alone in a block on the line, as in a short lambda, does not count."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "", line)
    line = re.sub(r"#.*" if language == "python" else r"//.*", "", line)
    while (inner := re.sub(r"\([^()]*\)", "", line)) != line:
        line = inner
    line = re.sub(r"\{[^{};]*;\s*\}", "", line)
    if language in ("cpp", "c", "rust"):
        return line.count(";") > 1 or re.search(r";\s*\w", line) is not None
    return language == "python" and ";" in line


def self_test():
    for language, line in (("cpp", "f(); g();"), ("cpp", 'f("//"); g();'), ("c", "if (a) { f(); g(); }"),
                           ("c", "f(); x"), ("rust", "let a = f(b); let c = 1;"), ("python", "f(); g()")):
        assert is_squeezed(line, language), line
    for language, line in (("cpp", "for (i64 i = 0; i < f(n); ++i) g(i);"), ("cpp", "f();  // this; and that"),
                           ("cpp", 'f("a; b;");'), ("cpp", "int n() { return 2; }"),
                           ("cpp", "x, [] { return f(1); }, [] { return 2; });"), ("c", "x = ';';"), ("sh", "f; g")):
        assert not is_squeezed(line, language), line
    assert [l for l in ("", "  // a", "# a", "#include <a>", "a;  // b") if is_code(l)] == ["#include <a>", "a;  // b"]
    print("lines that hold several statements are seen")


def check(page, write):
    faults, out, lines = [], [], open(page, encoding="utf-8").read().splitlines()
    before = lines
    lines = wrapped(lines)
    if lines != before and not write:
        faults.append(f"{page}: has prose of more than {columns} columns: run cmake/check_pages.py --write")
    i = 0
    source = None
    code = 0
    while i < len(lines):
        line = lines[i]
        out.append(line)
        if m := re.fullmatch(r"<!-- (\S+?)(?: \[(.*)\])? -->", line):
            source = (m[1], m[2])
            if not any(l.startswith("```") for l in lines[i + 1 : i + 2]):
                faults.append(f"{page}:{i + 1}: no block of code follows")
        elif m := re.fullmatch(r"```(\w*).*", line):
            end = next((k for k in range(i + 1, len(lines)) if lines[k].startswith("```")), len(lines))
            block = lines[i + 1 : end]
            if source and m[1] == "text":
                said = open(source[0], encoding="utf-8").read()
                faults += [f"{page}:{i + 1}: {source[0]} does not say: {l}" for l in block if l.strip() not in said]
            elif source:
                try:
                    want = part_of(*source)
                except (OSError, ValueError) as e:
                    want = block
                    faults.append(f"{page}:{i + 1}: {e}")
                if want != block and not write:
                    faults.append(f"{page}:{i + 1}: is not {source[0]} [{source[1]}]: run cmake/check_pages.py --write")
                block = want
            elif is_quoted(page, m[1]):
                faults.append(f"{page}:{i + 1}: code that nobody compiles: quote a file by <!-- FILE [part] -->")
            if m[1] in languages and page.startswith("docs/how_to/"):
                code += sum(map(is_code, block))
                faults += [f"{page}: several statements on a line: {l.strip()}" for l in block if is_squeezed(l, m[1])]
            out += block + lines[end : end + 1]
            i, source = end, None
        elif line.strip():
            for target in re.findall(r"(?<!`)\[[^]]*\]\(([^) ]+)\)", re.sub(r"`[^`]*`", "``", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
                if not os.path.exists(path):
                    faults.append(f"{page}:{i + 1}: links to {target}, which is not there")
                elif anchor and path.endswith(".md") and anchor not in anchors_of(path):
                    faults.append(f"{page}:{i + 1}: {path} has no heading #{anchor}")
        i += 1
    if code > lines_of_how_to:
        faults.append(f"{page}: has {code} lines of code, more than {lines_of_how_to}: quote a part, or make two pages")
    if write and out != before:
        open(page, "w", encoding="utf-8").write("\n".join(out) + "\n")
    return faults


def named(page):
    """Faults of what a page names as a test or an example."""
    faults, fenced = [], False
    for i, line in enumerate(open(page, encoding="utf-8"), 1):
        fenced ^= line.startswith("```")
        files = [] if fenced else re.findall(r"`((?:tests|examples)/[a-z0-9_/.-]+)`", line)
        faults += [f"{page}:{i}: names {f}, which is not there" for f in files if not os.path.exists(f)]
        if page != "docs/questions.md" or not line.startswith("|"):
            continue
        texts = [open(f, encoding="utf-8").read() for f in files if os.path.isfile(f)]
        for case in re.findall(r'"([^"]+)"', line.rsplit("|", 2)[1]):
            parts = [p.strip(" ,") for p in case.split("…")]
            if not any(all(p in text for p in parts) for text in texts):
                faults.append(f'{page}:{i}: no file that the row names has "{case}"')
    return faults


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    pages = [p for p in os.listdir(".") if p.endswith(".md")]
    for root in ("docs", "packaging", "tests", "examples", "bench"):
        pages += [os.path.join(d, f) for d, _, files in os.walk(root) for f in files if f.endswith(".md")]
    faults = [fault for page in sorted(pages) for fault in check(page, "--write" in sys.argv[1:])]
    faults += [fault for page in sorted(pages) if page != "CHANGELOG.md" for fault in named(page)]
    print("\n".join(faults) if faults else f"{len(pages)} pages quote and link to what is there")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
