# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The store: what commands put into it, the queries of docs/store.md, and files that are no store."""

import ctypes
import os
import re
import resource
import signal
import sqlite3
import subprocess
import unittest

from support import LINE, PROGRAM, SOURCE, CommandTest

ONE = ["run", "--suite", "tiny", "--filter", LINE, "--data", "int", "--backend", "loop", "--quiet"]
LIBC = ctypes.CDLL(None, use_errno=True)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1  # prctl(2), capabilities(7)


def queries():
    """The SQL of docs/store.md by the name in its first line."""
    with open(os.path.join(SOURCE, "docs/store.md")) as file:
        return dict(re.findall(r"^```sql\n-- (\w+)\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE))


class StoreTest(CommandTest):

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def sql(self, text, store="assay-out/assay.db", **parameters):
        database = sqlite3.connect(self.path(store))
        try:
            return database.execute(text, parameters).fetchall()
        finally:
            database.close()

    def count(self, table, store="assay-out/assay.db"):
        return self.sql(f"SELECT count(*) FROM {table}", store)[0][0]

    def limited(self, *arguments, bytes=None, modes=False):
        """modes: files' modes count for root too, who may be alone in reaching the program."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            if bytes is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, bytes))
            if modes and os.geteuid() == 0 and LIBC.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) != 0:
                raise OSError(ctypes.get_errno(), "prctl")

        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment(),
                              text=True, capture_output=True, preexec_fn=limit)
        return done.returncode, done.stderr


class Kept(StoreTest):

    def test_a_run_is_stored_by_default(self):
        self.assertEqual(self.assay(*ONE, "--tag", "first").status, 0)
        self.assertEqual(sorted(os.listdir(self.path("assay-out"))), ["assay.db", "latest"])
        record, = self.records()
        self.assertEqual(self.sql("SELECT json FROM documents"), [(self.text(),)])
        self.assertEqual(self.sql("SELECT kind, key, op, backend, data, verdict, margin, started,"
                                  " revision, cpu FROM runs"),
                         [(record["kind"], record["key"], "matmul", "loop", "int", "PASS",
                           record["margin"], record["started"], record["env"]["revision"],
                           record["env"]["cpu"])])
        self.assertEqual(self.sql("SELECT name, value FROM counters WHERE name = 'compiles'"),
                         [("compiles", record["counters"]["compiles"])])

    def text(self):
        with open(self.path("assay-out/latest/run.jsonl")) as file:
            return file.read().rstrip("\n")

    def test_runs_add_up_and_records_count_once(self):
        for _ in range(2):
            self.assertEqual(self.assay(*ONE, "--tag", "both").status, 0)
        self.assertEqual(self.assay(*ONE, "--resume", "--tag", "again").status, 0)
        self.assertEqual((self.count("records"), self.count("invocations"),
                          self.count("environments")), (2, 2, 1))
        self.assertEqual(self.sql("SELECT name, count(*) FROM tags JOIN tagged ON tag = id"
                                  " GROUP BY name"), [("again", 1), ("both", 2)])

    def test_runs_side_by_side_make_one_store(self):
        runs = [subprocess.Popen([PROGRAM, *ONE, "--out", f"o{i}", "--store", "s.db", "--jobs", "1"],
                                 cwd=self.folder, env=self.environment(), text=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for i in range(4)]
        self.assertEqual([(run.communicate()[1], run.returncode) for run in runs], 4 * [("", 0)])
        self.assertEqual((self.count("records", "s.db"), self.count("invocations", "s.db")), (4, 4))

    def test_a_folder_of_its_own_is_all_that_is_written(self):
        self.assertEqual(self.assay(*ONE, "--out", "mine").status, 0)
        self.assertEqual(os.listdir(self.folder), ["mine"])
        self.assertEqual(self.assay(*ONE, "--out", "mine", "--store", "new/db/a.db").status, 0)
        self.assertEqual(self.count("records", "new/db/a.db"), 1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["mine", "new"])

    def test_ledgers(self):
        fault = os.path.join(SOURCE, "suite/faults/while_forwarded_twice.mlir")
        words = [fault, "--canonicalize", "--cse", "--quiet"]
        self.assertEqual(self.assay("ledger", *words).status, 1)
        self.assertEqual(os.listdir(self.folder), [])
        for _ in range(2):
            self.assertEqual(self.assay("ledger", *words, "--store", "l.db", "--tag", "x").status, 1)
        (kind, key, verdict, name, fault_class), again = self.sql(
            "SELECT kind, key, verdict, first_bad_name, first_bad_class FROM runs", "l.db")
        self.assertEqual((kind, key, verdict, name, fault_class), again)
        self.assertEqual((kind, verdict, name, fault_class),
                         ("ledger", "FAIL", "canonicalize", "miscompile"))
        self.assertRegex(key, f"^ledger file={fault} pipeline='builtin.module\\(canonicalize.*,cse\\)' "
                              "data=none backend=none$")
        rows = self.sql("SELECT n, name, changed, margin, class, ops_before > ops_after, seconds > 0"
                        " FROM passes WHERE record = 1 ORDER BY n", "l.db")
        self.assertEqual(rows, [(1, "canonicalize", 1, "inf", "miscompile", 1, 1),
                                (2, "cse", 0, None, None, 0, 1)])

    def test_benchmarks(self):
        for _ in range(2):
            answer = self.assay("bench", "matmul m=3 k=5 n=7", "--backend", "loop", "--repetitions", "3",
                                "--min-time", "0.0005", "--store", "b.db", "--tag", "x", "--quiet")
            self.assertEqual((answer.status, answer.stderr), (0, ""))
        record, = self.records()
        self.assertEqual(self.sql("SELECT kind, key, threads, flop FROM runs", "b.db"),
                         2 * [("bench", record["key"], 1, record["flop"])])
        self.assertEqual([seconds for seconds, in self.sql(
            "SELECT seconds FROM samples WHERE record = 2 ORDER BY n", "b.db")], record["samples_run"])

    def test_ledgers_of_a_run_have_their_passes(self):
        self.assertEqual(self.assay(*ONE, "--passes").status, 0)
        names = [name for name, in self.sql("SELECT name FROM passes ORDER BY n")]
        self.assertIn("one-shot-bufferize", names)
        self.assertEqual(self.sql("SELECT min(n), max(n), count(DISTINCT n) FROM passes"),
                         [(1, len(names), len(names))])
        self.assertEqual(self.sql("SELECT count(*) FROM passes WHERE changed AND margin IS NULL"), [(0,)])
        ledger = [record for record in self.records() if record["kind"] == "ledger"]
        self.assertEqual([row["name"] for row in ledger[0]["passes"]], names)
        # Each state is the next pass's beginning.
        for row, after in zip(ledger[0]["passes"], ledger[0]["passes"][1:]):
            self.assertEqual(row["ops_after"], after["ops_before"])


class Queries(StoreTest):

    def test_queries_of_the_page(self):
        """Each gives what it says, of a store whose past is made up from real records."""
        self.assertEqual(self.assay("run", "--suite", "tiny", "--filter", "matmul m=3", "--passes",
                                    "--quiet", "--tag", "real").status, 0)
        store = "assay-out/assay.db"
        key, = {record["key"] for record in self.records()
                if record["key"].endswith("data=real backend=loop")}
        revision = "n3w"
        database = sqlite3.connect(self.path(store))
        # An older run, on which all was faster and more accurate, and of two calls more; a failure.
        database.executescript("""
            UPDATE environments SET revision = 'n3w';
            INSERT INTO environments(revision, identity) VALUES('0ld', '0ld');
            INSERT INTO records SELECT id + 1000, kind, key, last_insert_rowid(), '2020-01-01', invocation,
              line, op, backend, data, verdict, margin / 10, reason, NULL, NULL, NULL, seconds_compile,
              seconds_run / 1000, threads, cold, flop, bytes, samples_run, samples_compile, counter_set,
              counter_values, clock FROM records WHERE kind = 'run';
            INSERT INTO documents SELECT record + 1000, json_set(json, '$.counters.compiles', 9) FROM
              documents WHERE record IN (SELECT id FROM records WHERE kind = 'run');
            UPDATE records SET verdict = 'FAIL', reason = 'wrong' WHERE id = 1;""")
        database.commit()
        database.close()
        asked = {name: self.sql(text, store, **{
            word: {"key": key, "kind": "run", "revision": revision, "before": "0ld", "tag": "real"}[word]
            for word in re.findall(r":(\w+)", text)}) for name, text in queries().items()
                 if name != "forget"}
        self.assertEqual(sorted(asked), ["counters", "failures", "fastest", "history", "margins",
                                         "passes", "slowest", "tag"])
        self.assertEqual([row[0] for row in asked["slowest"]],
                         [key for key, in self.sql("SELECT key FROM runs WHERE kind = 'run' AND revision ="
                                                   " :r ORDER BY seconds_run DESC", r=revision)])
        self.assertEqual([row[1] for row in asked["history"]], ["0ld", revision])
        old, new = asked["history"]
        self.assertAlmostEqual(old[3] * 10, new[3])
        self.assertAlmostEqual(old[4] * 1000, new[4])
        self.assertIn(key, [row[0] for row in asked["margins"]])
        self.assertTrue(all(row[2] > row[1] for row in asked["margins"]))
        self.assertEqual([row[3:5] for row in asked["failures"]], [("FAIL", "wrong")])
        self.assertTrue(asked["fastest"])
        self.assertEqual(len(asked["fastest"]), len({row[:2] for row in asked["fastest"]}))
        self.assertIn("one-shot-bufferize", [row[0] for row in asked["passes"]])
        self.assertEqual({row[1:3] for row in asked["counters"]}, {("compiles", 9)})
        self.assertEqual(sum(row[2] for row in asked["tag"]), len(self.records()))
        # A benchmark's time is the median of its samples.
        database = sqlite3.connect(self.path(store))
        for record, samples in (1001, "[4,1,2,3]"), (1002, "[3,1,2]"):
            database.execute("UPDATE documents SET json = json_set(json, '$.samples_run', json(?))"
                             " WHERE record = ?", (samples, record))
        database.commit()
        database.close()
        for record, median in (1001, 2.5), (1002, 2):
            key, = self.sql("SELECT key FROM runs WHERE record = :r", r=record)[0]
            self.assertEqual(self.sql(queries()["history"], key=key, kind="run")[0][4], median)

        # Seconds of a device's clock are beside the wall's, never among them.
        database = sqlite3.connect(self.path(store))
        database.execute("UPDATE records SET clock = 'device' WHERE id = 1002")
        database.commit()
        database.close()
        self.assertEqual([row[5] for row in self.sql(queries()["history"], key=key, kind="run")], ["device", "wall"])
        for name in "fastest", "slowest":
            clocks = [row[4] for row in self.sql(queries()[name], **({"kind": "run"} if name == "fastest" else {}))]
            self.assertEqual(clocks.count("device"), 1)
            self.assertIn("wall", clocks)

    def test_what_is_forgotten(self):
        self.assertEqual(self.assay(*ONE, "--tag", "x").status, 0)
        self.assertEqual(self.assay(*ONE, "--tag", "x").status, 0)
        database = sqlite3.connect(self.path("assay-out/assay.db"))
        database.execute("UPDATE records SET started = '2001-02-03' WHERE id = 1")
        database.executescript(queries()["forget"])
        database.close()
        self.assertEqual([self.count(table) for table in ("records", "documents", "tagged")], [1, 1, 1])


class Bad(StoreTest):

    def refuse(self, message, *options):
        """Refused before the first case runs, with nothing left that was not there."""
        before = self.tree()
        for command in (ONE, ["ledger", os.path.join(SOURCE, "suite/faults/while_forwarded_twice.mlir"),
                              "--cse"]):
            answer = self.assay(*command, *options)
            self.assert_answer(answer, 2, stderr=f"assay: {message}\n")
            self.assertEqual(self.tree(), before)

    def tree(self):
        found = {}
        for folder, _, names in os.walk(self.folder):
            found[folder] = None
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.join(folder, name)] = file.read()
        return found

    def test_what_is_no_store(self):
        self.write("text.db", "not a database, though its name says so\n")
        self.refuse("text.db: error: expected a store, found no SQLite file", "--store", "text.db")
        self.write("short.db", "x")
        self.refuse("short.db: error: expected a store, found no SQLite file", "--store", "short.db")
        os.mkdir(self.path("folder.db"))
        self.refuse("folder.db: error: expected a store, found a folder", "--store", "folder.db")
        os.mkfifo(self.path("pipe.db"))
        before = sorted(os.listdir(self.folder))
        self.assert_answer(self.assay(*ONE, "--store", "pipe.db"), 2,
                           stderr="assay: pipe.db: error: expected a store, found no regular file\n")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_a_database_of_another_program(self):
        database = sqlite3.connect(self.path("theirs.db"))
        database.execute("CREATE TABLE records(x)")
        database.commit()
        database.close()
        self.refuse("theirs.db: error: expected a store, found another program's SQLite database",
                    "--store", "theirs.db")

    def test_a_newer_schema(self):
        self.assertEqual(self.assay(*ONE, "--out", "o", "--store", "new.db").status, 0)
        database = sqlite3.connect(self.path("new.db"))
        database.execute("PRAGMA user_version = 99")
        database.close()
        self.refuse("new.db: error: found a store of schema 99, known are those up to 3: a newer assay "
                    "wrote it", "--store", "new.db")

    def test_a_store_that_another_process_holds(self):
        self.assertEqual(self.assay(*ONE, "--out", "o", "--store", "held.db").status, 0)
        database = sqlite3.connect(self.path("held.db"), isolation_level=None)
        database.execute("BEGIN EXCLUSIVE")
        answer = self.assay(*ONE, "--out", "p", "--store", "held.db")
        self.assert_answer(answer, 2, stderr="assay: held.db: error: cannot write: another process has "
                           "kept the store locked for 5 s\n")
        self.assertFalse(os.path.exists(self.path("p")))
        database.execute("ROLLBACK")
        database.close()
        self.assertEqual(self.count("records", "held.db"), 1)

    def test_a_store_that_may_not_be_written(self):
        self.assertEqual(self.assay(*ONE, "--out", "o", "--store", "r.db").status, 0)
        os.chmod(self.path("r.db"), 0o444)
        status = self.limited(*ONE, "--out", "p", "--store", "r.db", modes=True)
        self.assertEqual(status, (2, "assay: r.db: error: cannot write: the store or its folder is "
                                     "read-only\n"))
        self.assertFalse(os.path.exists(self.path("p")))
        os.mkdir(self.path("closed"), 0o555)
        status = self.limited(*ONE, "--out", "p", "--store", "closed/r.db", modes=True)
        self.assertEqual(status, (2, "assay: closed/r.db: error: cannot write: Permission denied\n"))
        self.assertFalse(os.path.exists(self.path("p")))

    def test_a_full_disk(self):
        status, said = self.limited(*ONE, "--out", "o", "--store", "s.db", bytes=20000)
        self.assertEqual((status, os.listdir(self.folder)), (2, []))
        self.assertRegex(said, "^assay: s.db: error: cannot write: .*\n$")
        # Room for the records as they come, but none for them in the store.
        self.assertEqual(self.assay(*ONE, "--out", "o", "--store", "s.db").status, 0)
        many = ["run", "--suite", "tiny", "--filter", "matmul m=1", "--backend", "loop", "--quiet"]
        status, said = self.limited(*many, "--out", "p", "--store", "s.db", bytes=40000)
        self.assertEqual((status, said),
                         (2, "assay: s.db: error: cannot write: the disk is full, or the file may grow "
                             "no more; the records are in p/run.jsonl\n"))
        self.assertEqual(len(self.records("p")), 18)
        self.assertEqual(self.count("records", "s.db"), 1)
        self.assertEqual(self.sql("PRAGMA integrity_check", "s.db"), [("ok",)])
        self.assertEqual(self.assay(*many, "--out", "p", "--store", "s.db", "--resume").status, 0)
        self.assertEqual(self.count("records", "s.db"), 19)

    def test_a_file_that_has_another_use(self):
        os.makedirs(self.path("o"))
        for store, message in [
                ("o/run.jsonl", "--store: this file is the run's own"),
                ("o/summary.txt", "--store: this file is the run's own"),
                ("r.xml", "--format: this file is the store")]:
            answer = self.assay(*ONE, "--out", "o", "--format", "junit=r.xml", "--store", store)
            self.assert_answer(answer, 2, stderr=f"assay: {store}: error: {message}\n")
            self.assertEqual((os.listdir(self.folder), os.listdir(self.path("o"))), (["o"], []))

    def test_options(self):
        for options, message in [
                (["--out", "o", "--tag", "x"],
                 "--tag names records in a store: it goes with --store FILE"),
                (["--tag", "latest"],
                 "--tag: a tag cannot be 'latest': that is the revision that ran last"),
                (["--tag", "a\nb"], "--tag: a tag holds no control characters"),
                (["--tag", "a@b"], "--tag: a tag holds no '@': in STORE@TAG it ends the store's name"),
                (["--tag", " "], "--tag: a tag cannot be of blanks alone"),
                (["--tag", "x" * 201], "--tag: a tag has 1 to 200 bytes, found 201"),
                (["--store", ""], "--store: empty value")]:
            self.assert_answer(self.assay(*ONE, *options), 2, stderr=f"assay: error: {message}\n")
            self.assertEqual(os.listdir(self.folder), [])

    def test_nothing_is_left_of_a_question_that_fails_later(self):
        os.mkdir(self.path("report"))
        answer = self.assay(*ONE, "--store", "a/b.db", "--format", "md=report")
        self.assertEqual((answer.status, os.listdir(self.folder)), (2, ["report"]))
        module = self.write("bad.mlir", "no module\n")
        answer = self.assay("ledger", module, "--cse", "--store", "a/b.db")
        self.assertEqual((answer.status, sorted(os.listdir(self.folder))), (2, ["bad.mlir", "report"]))


if __name__ == "__main__":
    unittest.main()
