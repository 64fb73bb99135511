# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `assay report` share: records, and readers of its formats."""

import html.parser
import json
import os

from support import CommandTest

NASTY = "<b>&amp;\"'`|,;:%\n\t\x1b[31mred\x07 ]]> --> </script></style> = \\ é∞😀 \ufffe #x"
SEEN = NASTY.replace("\x1b", "?").replace("\x07", "?").replace("\ufffe", "???")  # U+FFFE has 3 bytes
LONG = NASTY + "x" * 10_000
ENVIRONMENT = {"cpu": "a <cpu>", "llvm": "22.1.8", "blas": NASTY, "blas_core": "Zen", "cuda": None,
               "revision": "0123456", "assay": "0.1.0", "peak_gflops_f32": 100.0,
               "peak_gflops_f64": 50.0, "peak_gbs": 20.0}
VOID = {"meta", "br", "img", "input", "hr", "link"}


def record(line, verdict="PASS", op="matmul", backend="loop", data="int", **fields):
    made = {"schema": 1, "kind": "run", "key": f"{line} data={data} backend={backend}", "case": line,
            "op": op, "backend": backend, "data": data, "verdict": verdict, "checks": ["compare"],
            "reference": "stored", "first_bad": None, "margin": 0.25, "seconds_compile": 0.5,
            "seconds_run": 0.25, "reason": None if verdict == "PASS" else "why", "repro": f"assay '{line}'",
            "counters": {"blas_calls": 0, "compiles": 1, "launches": 0}, "env": ENVIRONMENT,
            "started": "2020-01-02T03:04:05.678Z"}
    return {**made, **fields}


def bench(line, backend, seconds, **fields):
    samples = [seconds * (1 + 0.01 * i) for i in range(9)]
    passes = [{"n": n + 1, "name": f"pass-{n}", "seconds": 0.001 * (n + 1), "ops_before": 5,
               "ops_after": 6, "changed": True, "margin": None, "nan_added": 0, "class": None}
              for n in range(12)]
    return record(line, kind="bench", backend=backend, data="real", op=line.split()[0],
                  samples_run=samples, samples_compile=[0.1, 0.2], threads=1, cold=False,
                  flop=2e9, bytes=1e8, passes=passes, **fields)


def hostile():
    bad = {"n": 3, "name": NASTY, "class": "miscompile", "step": NASTY, "pattern": None,
           "before_excerpt": "before " + NASTY, "after_excerpt": "after " + NASTY}
    return [record("matmul m=1"),
            record(LONG, "FAIL", op=NASTY, backend=NASTY, reason=LONG, repro=LONG, first_bad=bad,
                   origin="suite/cases/a%b,c:d.cases:12"),
            record("=1+1", "CRASH", reason="@SUM(A1)"),
            record("linear m=2", "WARN", op="linear", reason=NASTY),
            record("linear m=3", "XFAIL", op="linear"),
            record("linear m=4", "SKIP", op="linear", started=NASTY, margin=None)]


class Page(html.parser.HTMLParser):
    """The tree of a page as nested lists: [tag, attributes, children]."""

    def __init__(self, text):
        super().__init__()
        self.top = ["", {}, []]
        self.open = [self.top]
        self.feed(text)
        self.close()
        assert len(self.open) == 1, f"not closed: {[each[0] for each in self.open]}"

    def handle_starttag(self, tag, attrs):
        node = [tag, dict(attrs), []]
        self.open[-1][2].append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag):
        assert self.open[-1][0] == tag, f"</{tag}> closes <{self.open[-1][0]}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1][2].append(data)

    def all(self, tag=None, node=None, **wanted):
        for child in (node or self.top)[2]:
            if isinstance(child, list):
                if tag in (None, child[0]) and all(child[1].get(name.rstrip("_")) == value
                                                   for name, value in wanted.items()):
                    yield child
                yield from self.all(tag, child, **wanted)

    def one(self, tag, node=None, **wanted):
        found, = self.all(tag, node, **wanted)
        return found


def text(node):
    return "".join(child if isinstance(child, str) else text(child) for child in node[2])


def rows(page, node):
    return [[text(cell) for cell in row[2]] for row in page.all("tr", node)]


class Report(CommandTest):
    needs_store = False

    def write_records(self, records, name="run.jsonl"):
        return self.write(name, "".join(json.dumps(each) + "\n" for each in records))

    def report(self, records, name, status=1, stderr=""):
        self.write_records(records)
        answer = self.assay("report", "run.jsonl", "--format", f"{name}=out")
        self.assert_answer(answer, status, stderr=stderr)
        with open(os.path.join(self.folder, "out"), "rb") as file:
            return file.read().decode()

    def page(self, records, **answer):
        return Page(self.report(records, "html", **answer))
