#!/usr/bin/env python3
"""charts.py: docs/benchmarks.md and its charts, from bench/models/measured.json, where the figures are kept.

    sh bench/models/run.sh build/gcc/bin/tenon 1 > measured.txt
    python3 bench/models/charts.py --take measured.txt --on "Zen 4, 2 cores, AVX-512" --date 2026-11-23
    python3 bench/models/charts.py --write

--take reads what run.sh printed, in place of what was known for so many threads of a machine of that description; the
first machine is the one that README shows. Without options it says whether page and charts are those of the figures; a
test asks so.
"""

import argparse
import html
import json
import math
import os
import re
import sys

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
data_file = "bench/models/measured.json"
page_file = "docs/benchmarks.md"


def read(path):
    with open(os.path.join(root, path), encoding="utf-8") as f:
        return f.read()


def threads_text(n):
    return f"{n} thread" + ("s" if n != 1 else "")


# --- figures
def taken(text, on, date):
    """The measurement that run.sh printed: columns model, tenon, least, peer, least, ratio, …"""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    heads = [i for i, words in enumerate(lines) if words[:3] == ["model", "tenon", "least"]]
    if not heads:
        sys.exit("charts.py: there is no line 'model tenon least peer …': give what bench/models/run.sh printed")
    threads = re.search(r"\(ms, (\d+) thread", " ".join(lines[heads[-1]]))
    models = {}
    for words in lines[heads[-1] + 1 :]:
        if len(words) < 6 or not re.fullmatch(r"[\d.]+", words[1]):
            continue
        number = [float(w) if re.fullmatch(r"[\d.]+", w) else None for w in words[1:]]
        model = {"tenon": number[0], "tenon_least": number[1], "peer": number[2], "peer_least": number[3]}
        models[words[0]] = {k: v for k, v in model.items() if v}
    if not models or not threads:
        sys.exit("charts.py: no model was measured")
    return {"threads": int(threads[1]), "on": on, "date": date, "peer": "ONNX Runtime 1.30", "models": models}


def join(old, new):
    """The same measurements, with the new one in place of that for as many threads on that machine.

    What only the old one knows of a model stays."""

    def is_same(m):
        return m["threads"] == new["threads"] and m["on"] == new["on"]

    for before in filter(is_same, old):
        for name, model in new["models"].items():
            kept = before["models"].get(name, {})
            model.update({key: kept[key] for key in ("compile", "error") if key in kept})
    all_of_them = [m for m in old if not is_same(m)] + [new]
    known = machines(old + [new])
    return sorted(all_of_them, key=lambda m: (known.index(m["on"]), m["threads"]))


def machines(measurements):
    """Descriptions of machines, in the order in which they came."""
    return list(dict.fromkeys(m["on"] for m in measurements))


def compared(measurement):
    """(name, how many times as fast as the peer, model), fastest first."""
    both = [(name, m["peer"] / m["tenon"], m) for name, m in measurement["models"].items() if m.get("peer")]
    return sorted(both, key=lambda row: -row[1])


def mean(rows):
    return math.exp(sum(math.log(r) for _, r, _ in rows) / len(rows))


def ms(v):
    return f"{v:.3g}" if v < 100 else f"{v:.0f}"


# --- the chart
style = """
  .ink { fill: #1f2328 } .soft { fill: #59636e } .line { stroke: #d1d9e0 } .base { stroke: #59636e }
  .more { fill: #0969da } .less { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    .ink { fill: #f0f6fc } .soft { fill: #9198a1 } .line { stroke: #3d444d } .base { stroke: #9198a1 }
    .more { fill: #4493f8 } .less { fill: #db6d28 }
  }
  text { font: 13px system-ui, "Segoe UI", sans-serif } .small { font-size: 12px }
  .title { font-size: 15px; font-weight: 600 }
"""


def chart(measurement):
    """Bars on a logarithmic scale, from as fast as the peer: to the right faster, to the left slower."""
    rows = compared(measurement)
    names, bars, values, step, top = 176, 400, 150, 24, 62
    width, height = names + bars + values, top + step * len(rows) + 34
    low = min(0.5, min(r for _, r, _ in rows) * 0.9)
    high = max(2.0, max(r for _, r, _ in rows) * 1.1)
    scale = bars / math.log(high / low)

    def x(ratio):
        return names + math.log(ratio / low) * scale

    ticks = [t for t in (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32) if low <= t <= high]
    peer, threads = measurement["peer"], threads_text(measurement["threads"])
    title = f"How many times as fast as {peer}, on {threads}"
    said = "; ".join(f"{name} {ratio:.2f}" for name, ratio, _ in rows)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-labelledby="title text">',
        f'<title id="title">{html.escape(title)}</title>',
        f'<desc id="text">{html.escape(said)}</desc>',
        f"<style>{style}</style>",
        f'<text class="ink title" x="8" y="20">{html.escape(title)}</text>',
    ]
    bottom = top + step * len(rows)

    def write(style_of, at, y, words, anchor=None):
        ends = f' text-anchor="{anchor}"' if anchor else ""
        out.append(f'<text class="{style_of}" x="{at}" y="{y}"{ends}>{words}</text>')

    for t in ticks:
        style_of = "base" if t == 1 else "line"
        out.append(f'<line class="{style_of}" x1="{x(t):.1f}" x2="{x(t):.1f}" y1="{top - 6}" y2="{bottom}"/>')
        write("soft small", f"{x(t):.1f}", top - 12, f"{t:g}", "middle")
    write("soft small", width - 8, top - 34, f"ms: tenon / {html.escape(peer.split(' 1.')[0])}", "end")
    for i, (name, ratio, m) in enumerate(rows):
        middle = top + step * i + step / 2
        begin, end = sorted((x(1), x(ratio)))
        line = f"{middle + 4:.1f}"
        write("ink", names - 10, line, html.escape(name), "end")
        out.append(f'<rect class="{"more" if ratio >= 1 else "less"}" x="{begin:.1f}" y="{middle - 7:.1f}" '
                   f'width="{max(end - begin, 1.5):.1f}" height="14" rx="2"/>')
        at, anchor = (x(ratio) + 6, "start") if ratio >= 1 else (x(ratio) - 6, "end")
        write("ink small", f"{at:.1f}", line, f"{ratio:.2f}", anchor)
        write("soft small", width - 8, line, f"{ms(m['tenon'])} / {ms(m['peer'])}", "end")
    write("soft small", 8, height - 10,
          f"{html.escape(measurement['on'])}, {measurement['date']}; geometric mean {mean(rows):.2f}")
    return "\n".join(out + ["</svg>", ""])


# --- the page
def chart_file(measurement, first):
    """`first`: on the first machine, whose charts others link to."""
    words = re.findall(r"[a-z0-9]+", measurement["on"].lower())
    machine = "" if first else "_".join(words[:2]) + "_"
    return f"docs/pictures/models_{machine}threads_{measurement['threads']}.svg"


introduction = """# Benchmarks

Public models beside ONNX Runtime with all its optimizations, measured in turns in one run on the same machine:
`bench/models/run.sh`. float32, milliseconds, the median of a second of runs. A bar says how many times as fast tenon
is; the scale is logarithmic. Single operators are in [operator speed](operator_speed.md)."""


def page(measurements):
    out = ["<!-- Made by bench/models/charts.py from bench/models/measured.json. -->", introduction]
    known = machines(measurements)
    for m in measurements:
        rows = compared(m)
        if m["threads"] == min(x["threads"] for x in measurements if x["on"] == m["on"]):
            out += ["", f"## {m['on']}"]
        picture = os.path.relpath(chart_file(m, m["on"] == known[0]), "docs")
        out += ["", f"### {threads_text(m['threads']).capitalize()}", "",
                f"{m['date']}, beside {m['peer']}. Geometric mean of {len(rows)} models: "
                f"{mean(rows):.2f} times as fast.", "",
                f"![How many times as fast as {m['peer']} each model is]({picture})", ""]
        columns = (("compile", "compile, ms"), ("error", "norm of the error"))
        more = [(k, t) for k, t in columns if any(k in x for _, _, x in rows)]
        out.append("| model | tenon | ONNX Runtime | times as fast |" + "".join(f" {t} |" for _, t in more))
        out.append("|---|---|---|---|" + "---|" * len(more))
        for name, ratio, x in rows:
            others = "".join(f" {x.get(k, '')} |" for k, _ in more)
            out.append(f"| {name} | {ms(x['tenon'])} | {ms(x['peer'])} | {ratio:.2f} |{others}")
    return "\n".join(out) + "\n"


def self_test():
    """What run.sh prints is understood: numbers, models without a peer, what only the old figures know."""
    printed = """model  tenon least  peer least ratio xsimd /cpu specialized /cpu   (ms, 2 threads)
a       40.0  39.0  44.0  43.0  0.91     -    -          39 1.00
b        0.2   0.2     -     -     -     -    -         0.1 1.00
"""
    new = taken(printed, "here", "today")
    a = {"tenon": 40.0, "tenon_least": 39.0, "peer": 44.0, "peer_least": 43.0}
    assert new["threads"] == 2 and new["models"]["a"] == a
    assert new["models"]["b"] == {"tenon": 0.2, "tenon_least": 0.2}
    before = {"a": {"tenon": 1, "peer": 1, "compile": 7}}
    both = [(on, t) for on in ("there", "here") for t in (1, 2)]
    old = [{"threads": t, "on": on, "date": "", "peer": "", "models": before} for on, t in both]
    joined = join(old, new)
    assert [(m["on"], m["threads"]) for m in joined] == [("there", 1), ("there", 2), ("here", 1), ("here", 2)]
    assert joined[3]["models"]["a"]["compile"] == 7 and joined[1]["models"] == before
    assert [chart_file(m, m["on"] == "there")[21:-4] for m in joined[1:3]] == ["threads_2", "here_threads_1"]
    joined = joined[2:]
    assert [name for name, _, _ in compared(joined[1])] == ["a"]  # b has nothing to be compared with
    assert "| a | 40 | 44 | 1.10 | 7 |" in page(joined) and ">1.10<" in chart(joined[1])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="write page and charts")
    options.add_argument("--take", metavar="FILE", help="what run.sh printed")
    options.add_argument("--on", help="with --take: the machine, in a few words")
    options.add_argument("--date", help="with --take: the day")
    options.add_argument("--self-test", action="store_true", help="test this program, too")
    o = options.parse_args()
    if o.self_test:
        self_test()
    measurements = json.loads(read(data_file))
    if o.take:
        if not o.on or not o.date:
            sys.exit("charts.py: --take needs --on MACHINE and --date DAY")
        with open(o.take, encoding="utf-8") as f:
            measurements = join(measurements, taken(f.read(), o.on, o.date))
        with open(os.path.join(root, data_file), "w", encoding="utf-8") as f:
            f.write(json.dumps(measurements, indent=1) + "\n")
    first = machines(measurements)[0]
    made = {page_file: page(measurements), **{chart_file(m, m["on"] == first): chart(m) for m in measurements}}
    stale = []
    for path, text in made.items():
        if os.path.exists(os.path.join(root, path)) and read(path) == text:
            continue
        stale.append(path)
        if o.write or o.take:
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(text)
    if stale and not (o.write or o.take):
        print(f"not what {data_file} says: {', '.join(stale)}\nrun python3 bench/models/charts.py --write")
        return 1
    print(f"{len(made)} files show {sum(len(m['models']) for m in measurements)} figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
