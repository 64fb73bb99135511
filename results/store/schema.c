// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/store/internal.h"

// Columns of `records` are what comparisons and histories read; everything else is in `documents`,
// the record as it stands in run.jsonl, apart, so that reading columns does not pass by it.
// Samples are arrays of doubles as the machine has them (little-endian on all that we know), and so
// are counter_values of 64-bit integers, whose names are those of their counter set, one a line.
static const char tables[] =
    "CREATE TABLE environments("
    " id INTEGER PRIMARY KEY, cpu TEXT, llvm TEXT, blas TEXT, blas_core TEXT, cuda TEXT,"
    " revision TEXT, assay TEXT, peak_gflops_f32 REAL, peak_gflops_f64 REAL, peak_gbs REAL,"
    " identity TEXT NOT NULL UNIQUE);"
    "CREATE TABLE invocations("
    " id INTEGER PRIMARY KEY, stored TEXT NOT NULL, records INTEGER NOT NULL);"
    "CREATE TABLE counter_sets(id INTEGER PRIMARY KEY, names TEXT NOT NULL UNIQUE);"
    "CREATE TABLE records("
    " id INTEGER PRIMARY KEY,"
    " kind TEXT NOT NULL, key TEXT NOT NULL,"
    " environment INTEGER NOT NULL REFERENCES environments(id),"
    " started TEXT NOT NULL,"
    " invocation INTEGER NOT NULL REFERENCES invocations(id),"
    " line TEXT NOT NULL, op TEXT NOT NULL, backend TEXT NOT NULL, data TEXT NOT NULL,"
    " verdict TEXT NOT NULL, margin REAL, reason TEXT,"
    " first_bad_n INTEGER, first_bad_name TEXT, first_bad_class TEXT,"
    " seconds_compile REAL, seconds_run REAL,"
    " threads INTEGER, cold INTEGER, flop REAL, bytes REAL,"
    " samples_run BLOB, samples_compile BLOB,"
    " counter_set INTEGER NOT NULL REFERENCES counter_sets(id), counter_values BLOB NOT NULL,"
    " UNIQUE(kind, key, environment, started));"
    "CREATE INDEX records_by_environment ON records(environment);"
    "CREATE INDEX records_by_start ON records(started);"
    "CREATE INDEX records_by_invocation ON records(invocation);"
    "CREATE TABLE documents(record INTEGER PRIMARY KEY REFERENCES records(id),"
    " json TEXT NOT NULL);"
    "CREATE TABLE tags(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE tagged(tag INTEGER NOT NULL REFERENCES tags(id),"
    " record INTEGER NOT NULL REFERENCES records(id), PRIMARY KEY(tag, record)) WITHOUT ROWID;"
    "CREATE INDEX tagged_by_record ON tagged(record);";

// For people and their queries.
static const char views[] =
    "CREATE VIEW runs AS"
    " SELECT r.id AS record, r.kind, r.key, r.line, r.op, r.backend, r.data, r.verdict, r.margin,"
    "  r.reason, r.first_bad_name, r.first_bad_class, r.seconds_compile, r.seconds_run, r.threads,"
    "  r.cold, r.flop, r.bytes, r.started, r.invocation, e.revision, e.cpu, e.llvm, e.blas,"
    "  e.blas_core, e.assay"
    " FROM records r JOIN environments e ON e.id = r.environment;"
    "CREATE VIEW counters AS"
    " SELECT d.record, c.key AS name, c.value FROM documents d,"
    "  json_each(d.json, '$.counters') c;"
    "CREATE VIEW passes AS"
    " SELECT d.record, p.value ->> 'n' AS n, p.value ->> 'name' AS name,"
    "  p.value ->> 'seconds' AS seconds, p.value ->> 'ops_before' AS ops_before,"
    "  p.value ->> 'ops_after' AS ops_after, p.value ->> 'changed' AS changed,"
    "  p.value ->> 'margin' AS margin, p.value ->> 'nan_added' AS nan_added,"
    "  p.value ->> 'class' AS class"
    " FROM documents d, json_each(d.json, '$.passes') p;"
    "CREATE VIEW samples AS"
    " SELECT d.record, s.key AS n, s.value AS seconds FROM documents d,"
    "  json_each(d.json, '$.samples_run') s;";

// ptxas: what assembles the kernels of GPUs. clock: whose took the samples of runs; NULL: the
// wall's.
static const char devices[] =
    "ALTER TABLE environments ADD COLUMN ptxas TEXT;"
    "ALTER TABLE records ADD COLUMN clock TEXT;"
    "DROP VIEW IF EXISTS runs;"
    "CREATE VIEW runs AS"
    " SELECT r.id AS record, r.kind, r.key, r.line, r.op, r.backend, r.data, r.verdict, r.margin,"
    "  r.reason, r.first_bad_name, r.first_bad_class, r.seconds_compile, r.seconds_run, r.threads,"
    "  r.cold, r.flop, r.bytes, r.started, r.invocation, e.revision, e.cpu, e.llvm, e.blas,"
    "  e.blas_core, e.assay, e.cuda, e.ptxas, r.clock"
    " FROM records r JOIN environments e ON e.id = r.environment;"
    // Stores of before may hold records of devices: their documents say what the columns did not.
    // An environment whose records had several ptxas becomes several.
    "UPDATE records SET clock = 'device' WHERE id IN (SELECT record FROM documents"
    " WHERE CASE WHEN json_valid(json) THEN json ->> '$.clock' END = 'device');"
    "CREATE TEMP TABLE assembled(record INTEGER PRIMARY KEY, ptxas, environment, identity);"
    "INSERT INTO temp.assembled SELECT record, ptxas, id, identity || ' ' ||"
    " length(CAST(ptxas AS BLOB)) || ':' || ptxas || ' '"
    " FROM (SELECT d.record, e.id, e.identity,"
    "   CASE WHEN json_valid(d.json) THEN d.json ->> '$.env.ptxas' END AS ptxas"
    "  FROM documents d JOIN records r ON r.id = d.record"
    "  JOIN environments e ON e.id = r.environment) WHERE ptxas IS NOT NULL;"
    "INSERT INTO environments(cpu, llvm, blas, blas_core, cuda, revision, assay, peak_gflops_f32,"
    " peak_gflops_f64, peak_gbs, identity, ptxas)"
    " SELECT DISTINCT cpu, llvm, blas, blas_core, cuda, revision, assay, peak_gflops_f32,"
    " peak_gflops_f64, peak_gbs, a.identity, a.ptxas"
    " FROM temp.assembled a JOIN environments e ON e.id = a.environment;"
    "UPDATE records SET environment = (SELECT e.id FROM temp.assembled a JOIN environments e"
    " ON e.identity = a.identity WHERE a.record = records.id)"
    " WHERE id IN (SELECT record FROM temp.assembled);"
    "DELETE FROM environments WHERE id IN (SELECT environment FROM temp.assembled)"
    " AND id NOT IN (SELECT environment FROM records);"
    "DROP TABLE temp.assembled;";

const char *const assay_store_migrations[ASSAY_STORE_SCHEMA] = {tables, views, devices};
