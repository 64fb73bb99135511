# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backends of GPUs as commands see them: on the simulator, and on a driver that is a fake.

The fake runs no kernels, so that what runs on it to its end is a FAIL.
"""

import json
import os
import re
import shutil
import unittest

import numpy

from gpus import BLOCK, LAYER, MATMUL, GpuTest, has_driver
from support import FAKES


class BackendsTest(GpuTest):
    def test_each_says_what_it_needs(self):
        self.assertEqual(self.assay("list", "backends").stdout, "blas\ncublas\ncuda\ngpu-sim\nloop\n")
        for word in (["list", "backends", "--verbose"], ["doctor"]):
            for answer in (self.cuda(*word), self.cuda(*word, CUDA_VISIBLE_DEVICES="")):
                self.assertEqual(answer.status, 0)
                self.assert_narrow(answer.raw)
                whole = " ".join(answer.raw.split())
                self.assertIn("needs CUDA's driver and libcublas.so", whole)
                self.assertIn("needs CUDA's driver, libcuda.so.1", whole)
                self.assertIn("`cuda` on this processor", whole)
        self.assertEqual(whole.count("not usable: no CUDA device is visible: CUDA_VISIBLE_DEVICES is empty"), 2)

    def test_no_driver(self):
        if has_driver():
            self.skipTest("this machine has a CUDA driver")
        answer = self.assay("run", "--case", MATMUL, "--backend", "cuda", "--out", "out")
        self.assert_answer(answer, 2, stderr="assay: error: --backend: 'cuda' is not usable here: no CUDA driver: "
                                             "libcuda.so.1 is not there\n")
        self.assertIn("cuda        no CUDA driver: libcuda.so.1 is not there\n", self.assay("doctor").stdout)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    def test_doctor_names_the_device(self):
        answer = self.cuda("doctor", FAKE_CUDA_MEMORY="2000000000")
        self.assertIn("cuda        Fake GPU 0 (compute capability 9.0, 2 multiprocessors, 2 of 2 GB free), driver CUDA "
                      "13.0\n", answer.stdout)
        ptxas = self.write("ptxas", "#!/bin/sh\necho Cuda tools\necho Build 12.3\n")
        os.chmod(ptxas, 0o755)
        self.assertIn("ptxas       FOLDER/ptxas (Build 12.3)\n", self.cuda("doctor", ASSAY_PTXAS=ptxas).stdout)

    def test_what_is_not_usable(self):
        alone = os.path.join(self.folder, "alone")
        os.mkdir(alone)
        os.symlink(os.path.join(FAKES, "libcuda.so.1"), os.path.join(alone, "libcuda.so.1"))
        hidden = "no CUDA device is visible: CUDA_VISIBLE_DEVICES is empty and hides all"
        old = "driver (CUDA 10.2) is older than the PTX that is made for it (ISA 7.0, CUDA 11.0)"
        rows = (("cuda", {"CUDA_VISIBLE_DEVICES": ""}, re.escape(hidden)),
                ("cublas", {"CUDA_VISIBLE_DEVICES": ""}, re.escape(hidden)),
                ("cuda", {"FAKE_CUDA_DRIVER": "10020"}, re.escape(old)),
                ("cuda", {"FAKE_CUDA_ARCHITECTURE": "75"}, "compute capability 7.5, expected at least 8.0"),
                ("cuda", {"FAKE_CUDA_FAIL": "cuInit:1:crash"}, "died of signal 6"),
                ("cublas", {"LD_LIBRARY_PATH": alone}, "no cuBLAS|cublasCreate: "))
        for backend, variables, reason in rows:
            with self.subTest(backend=backend, variables=variables):
                answer = self.run_cuda(MATMUL, backend=backend, **variables)
                self.assertEqual((answer.status, answer.stdout), (2, ""))
                self.assertRegex(answer.stderr, rf"\Aassay: error: --backend: '{backend}' is not usable here: .*({reason})")
                self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))
        answer = self.cuda("run", "--case", MATMUL, "--data", "int", "--out", "out", "--quiet", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(answer.status, 0)
        self.assertEqual(answer.raw_stderr, "".join(f"assay: note: the backend '{name}' is left out: {hidden}\n"
                                                for name in ("cublas", "cuda")))
        self.assertEqual([record["backend"] for record in self.records("out")].count("gpu-sim"), 1)

    def test_records_name_the_device(self):
        self.assertEqual(self.run_cuda(MATMUL).status, 1)
        self.assertEqual(self.records("out")[0]["env"]["cuda"], "Fake GPU 0 (compute capability 9.0), CUDA 13.0")
        self.assertEqual(self.run_cuda(MATMUL, backend="gpu-sim").status, 0)
        self.assertIsNone(self.records("out")[0]["env"]["cuda"])


class FaultsTest(GpuTest):
    def test_too_little_memory(self):
        answer = self.run_cuda(MATMUL, FAKE_CUDA_MEMORY="1000")
        numbers = (r"cuMemAllocAsync: CUDA_ERROR_OUT_OF_MEMORY \(out of memory\): \d+ bytes asked for, \S+ of 1e-06 GB "
                   "free")
        self.assertEqual(answer.status, 2)
        (op, verdict, reason), = self.verdicts()
        self.assertEqual((op, verdict), ("matmul", "SKIP"))
        self.assertRegex(reason, rf"\A{numbers}\Z")

    def test_out_of_memory_at_each_allocation(self):
        for count in range(1, 60):
            self.run_cuda(LAYER, FAKE_CUDA_FAIL=f"cuMemAllocAsync:{count}:2")
            (_, verdict, reason), = self.verdicts()
            if verdict == "FAIL":
                break
            self.assertEqual(verdict, "SKIP")
            self.assertIn("bytes asked for", reason)
        self.assertEqual(verdict, "FAIL")
        self.assertGreater(count, 7)  # the arguments alone are six

    def test_out_of_memory_in_any_call(self):
        calls = ("cuModuleLoadDataEx:1:2", "cuModuleGetFunction:1:2", "cuModuleGetFunction:2:2", "cuEventCreate:3:2",
                 "cuMemAllocHost:1:2", "cuMemAllocHost:2:2", "cuMemsetD8Async:1:2", "cuMemcpyHtoDAsync:2:2", "cuLaunchKernel:1:2",
                 "cuMemcpyDtoHAsync:1:2", "cuStreamSynchronize:1:2")
        for backend, fault in [("cuda", call) for call in calls] + [("cublas", "cublasSgemm:1:3")]:
            with self.subTest(fault=fault):
                self.assertEqual(self.run_cuda(LAYER, backend=backend, FAKE_CUDA_FAIL=fault).status, 2)
                (_, verdict, reason), = self.verdicts()
                self.assertEqual(verdict, "SKIP")
                self.assertRegex(reason, rf"{fault.split(':')[0]}: CU.*(OUT_OF_MEMORY|ALLOC_FAILED).* of 1.074 GB free\Z")
        # Where a device cannot even be opened there is none to ask for.
        for fault in ("cuDevicePrimaryCtxRetain:1:2", "cuStreamCreate:1:2", "cublasCreate:1:3"):
            with self.subTest(fault=fault):
                answer = self.run_cuda(LAYER, backend="cublas", FAKE_CUDA_FAIL=fault)
                self.assertEqual(answer.status, 2)
                self.assertRegex(answer.stderr, rf"'cublas' is not usable here: {fault.split(':')[0]}: .*(OUT_OF_MEMORY|ALLOC)")

    def test_the_run_goes_on(self):
        kernel = "the kernel launched last was "
        rows = (("cuLaunchKernel:9:719", "ERROR", f"cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED .*{kernel}"),
                ("kernel:9:700", "ERROR", f"CUDA_ERROR_ILLEGAL_ADDRESS .*{kernel}"),
                ("kernel:9:999+", "ERROR", f"CUDA_ERROR_UNKNOWN .*{kernel}"),
                ("cuLaunchKernel:9:46+", "ERROR", "CUDA_ERROR_DEVICE_UNAVAILABLE"),
                ("kernel:9:crash", "CRASH", "SIGABRT"))
        for fault, verdict, reason in rows:
            with self.subTest(fault=fault):
                self.assertEqual(self.run_cuda(BLOCK, MATMUL, data="int,real", FAKE_CUDA_FAIL=fault).status, 1)
                found = self.verdicts()
                self.assertEqual([row[:2] for row in found], 2 * [("gpt2_block", verdict)] + 2 * [("matmul", "FAIL")])
                self.assertRegex(found[0][2], reason)
                self.assertRegex(found[1][2], reason)

    def test_a_kernel_that_never_ends(self):
        self.assertEqual(self.run_cuda(BLOCK, MATMUL, options=("--timeout", "4"), FAKE_CUDA_FAIL="kernel:9:hang").status, 1)
        self.assertEqual([row[:2] for row in self.verdicts()], [("gpt2_block", "TIMEOUT"), ("matmul", "FAIL")])

    def test_the_library(self):
        self.assertEqual(self.run_cuda(MATMUL, backend="cublas").status, 0)
        self.run_cuda(MATMUL, backend="cublas", FAKE_CUDA_FAIL="cublasSgemm:1:13")
        self.assertEqual([row[1] for row in self.verdicts()], ["ERROR"])


class CacheTest(GpuTest):
    def setUp(self):
        super().setUp()
        if "none on PATH" in self.assay("doctor").stdout:
            self.skipTest("no ptxas")
        self.ptxas = re.search(r"^ptxas +(\S+)", self.assay("doctor").raw, re.MULTILINE).group(1)

    def run_cached(self, **variables):
        answer = self.run_cuda(MATMUL, LAYER, data="int,real", ASSAY_PTXAS=self.ptxas, **variables)
        self.assertEqual([row[1] for row in self.verdicts()], 4 * ["FAIL"])
        return answer.stderr

    def files(self):
        folder = os.path.join(self.folder, "assay")
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]

    def test_damaged_files_are_made_anew(self):
        self.assertEqual(self.run_cached(), "")
        files = self.files()
        whole = [self.bytes_of(name) for name in files]
        keys = [self.parts(name)[0] for name in files]
        self.assertEqual(len(files), 2)
        for damage in (lambda data: b"no cubin", lambda data: data[:-1] + bytes([data[-1] ^ 1])):
            for name, data in zip(files, whole):
                with open(name, "wb") as file:
                    file.write(damage(data))
            notes = [f"assay: note: FOLDER/assay/{os.path.basename(name)} was damaged; it was made anew" for name in files]
            self.assertEqual(sorted(self.run_cached().splitlines()), notes)
            self.assertEqual([self.parts(name)[0] for name in files], keys)
        self.assertEqual(self.run_cached(), "")

    @staticmethod
    def bytes_of(name):
        with open(name, "rb") as file:
            return file.read()

    @staticmethod
    def checksum(data):
        hash = 0xcbf29ce484222325
        for byte in data:
            hash = (hash ^ byte) * 0x100000001b3 & 0xffffffffffffffff
        return hash

    @staticmethod
    def parts(name):
        """The key, the log and the code of a file."""
        head, rest = CacheTest.bytes_of(name).split(b"\n", 1)
        key, log, code = (int(number) for number in head.split()[-3:])
        return rest[:key], rest[key:key + log], rest[key + log:key + log + code]

    def test_code_of_another_architecture_is_made_anew(self):
        self.run_cached(FAKE_CUDA_ARCHITECTURE="80")
        other = {self.parts(name)[0].split(b"\n", 1)[1]: self.parts(name)[2] for name in self.files()}
        self.run_cached()
        of_90 = [name for name in self.files() if self.parts(name)[0].startswith(b"sm_90")]
        self.assertEqual(len(of_90), 2)
        for name in of_90:
            key, log, _ = self.parts(name)
            code = other[key.split(b"\n", 1)[1]]
            head = "assay cubin 1 %016x %d %d %d\n" % (self.checksum(key + log + code), len(key), len(log), len(code))
            with open(name, "wb") as file:
                file.write(head.encode() + key + log + code)
        notes = [f"assay: note: FOLDER/assay/{os.path.basename(name)} is not code for sm_90; it was made anew"
                 for name in of_90]
        self.assertEqual(sorted(self.run_cached().splitlines()), notes)
        self.assertEqual(self.run_cached(), "")

    def test_files_in_the_place_of_others_are_made_anew(self):
        self.run_cached(FAKE_CUDA_ARCHITECTURE="80")
        of_80 = {self.parts(name)[0].split(b"\n", 1)[1]: name for name in self.files()}
        self.run_cached()
        of_90 = sorted(set(self.files()) - set(of_80.values()))
        for name in of_90:
            shutil.copyfile(of_80[self.parts(name)[0].split(b"\n", 1)[1]], name)
        notes = [f"assay: note: FOLDER/assay/{os.path.basename(name)} is not code for sm_90; it was made anew"
                 for name in of_90]
        self.assertEqual(sorted(self.run_cached().splitlines()), notes)
        shutil.copyfile(of_90[0], of_90[1])
        self.assertEqual(self.run_cached(), f"assay: note: FOLDER/assay/{os.path.basename(of_90[1])} is of other kernels; "
                                            "it was made anew\n")
        self.assertEqual(self.run_cached(), "")

    def test_what_counting_registers_finds_is_told(self):
        words = ("bench", MATMUL, "--backend", "gpu-sim", "--repetitions", "1", "--out", "out", "--quiet")
        self.assertEqual(self.cuda(*words, ASSAY_PTXAS=self.ptxas).stderr, "")
        self.assertEqual(len(self.files()), 4)  # one for each architecture
        with open(self.files()[0], "w") as file:
            file.write("no cubin")
        note = f"assay: note: FOLDER/assay/{os.path.basename(self.files()[0])} was damaged; it was made anew\n"
        self.assertEqual(self.cuda(*words, ASSAY_PTXAS=self.ptxas).stderr, note)

    def test_a_cache_that_cannot_be_written(self):
        note = "assay: note: cubins are not kept: "
        self.assertEqual(self.run_cached(XDG_CACHE_HOME="/dev/null"), f"{note}/dev/null/assay: Not a directory\n")
        self.assertEqual(self.run_cached(XDG_CACHE_HOME="", HOME=""),
                         f"{note}neither XDG_CACHE_HOME nor HOME is an absolute path\n")

    def test_ptxas_that_fails(self):
        ptxas = self.write("ptxas", "#!/bin/sh\ncase $1 in --version) echo Build 1;; *) echo no; exit 1;; esac\n")
        os.chmod(ptxas, 0o755)
        self.ptxas = ptxas
        self.assertEqual(self.run_cached(), "assay: note: the driver compiles the PTX, since ptxas cannot: "
                                            "exit status 1: no\n")


class SimulatorTest(GpuTest):
    def test_stages(self):
        shown = {stage: self.assay("show", MATMUL, "--backend", "gpu-sim", "--stage", stage)
                 for stage in ("kernels", "nvvm", "llvm", "all")}
        self.assertEqual([(answer.status, answer.stderr) for answer in shown.values()], 4 * [(0, "")])
        self.assertIn("gpu.func @matmul_0", shown["kernels"].stdout)
        self.assertIn("nvvm.barrier", shown["nvvm"].stdout)
        self.assertNotIn("gpu.func", shown["nvvm"].stdout)
        self.assertIn("llvm.func @main", shown["llvm"].stdout)
        # Neither a driver nor a device is needed to see what they would be given.
        cuda, cublas = (self.assay("show", MATMUL, "--backend", name, "--stage", "kernels", CUDA_VISIBLE_DEVICES="")
                        for name in ("cuda", "cublas"))
        self.assertEqual(cuda.raw, shown["kernels"].raw)
        self.assertEqual((cublas.status, cublas.stderr), (0, ""))
        self.assertNotIn("gpu.func @matmul_0", cublas.stdout)
        heads = re.findall(r"^// (\w+)$", shown["all"].stdout, re.MULTILINE)
        self.assertEqual(heads, ["program", "tensor", "bufferized", "kernels", "nvvm", "llvm"])
        self.assert_answer(self.assay("show", MATMUL, "--stage", "kernels"), 2, stderr="assay: error: --stage: the "
                           "pipeline 'loop' has no stage 'kernels'; known: all, tensor, bufferized, llvm\n")

    def test_save(self):
        answer = self.assay("show", MATMUL, "--data", "real", "--backend", "gpu-sim", "--save", "saved")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        got, expected, scale = (numpy.load(os.path.join(self.folder, "saved", name))
                                for name in ("got.npy", "expected.npy", "scale.npy"))
        self.assertEqual((got.dtype, got.shape), (numpy.float32, (3, 7)))
        self.assertLess(numpy.max(numpy.abs(got - expected) / scale), 6)

    def test_what_is_too_large_is_skipped(self):
        answer = self.assay("run", "--case", "matmul m=512 k=512 n=512", "--case", "matmul m=1 k=1 n=48801", "--backend",
                            "gpu-sim", "--data", "int", "--out", "out", "--quiet")
        self.assertEqual(answer.status, 2)
        self.assertEqual(self.verdicts(), [("matmul", "SKIP", f"{count} million operations (products in "
                                            "whole tiles); at most 100 million are simulated")
                                           for count in (101, 269)])


class BenchTest(GpuTest):
    def bench(self, *cases, **variables):
        forms = ",".join(f"{name}=b.{name}" for name in ("json", "gbench", "csv", "html", "md"))
        return self.assay("bench", *cases, "--backend", "gpu-sim", "--repetitions", "1", "--out", "out", "--format",
                          forms, **variables)

    def test_nothing_is_timed_but_compiling(self):
        answer = self.bench(MATMUL, ASSAY_PTXAS="")
        self.assertEqual(answer.status, 0)
        self.assertRegex(answer.stdout, r"\n  gpu-sim +- +- +- +- +- +- +[\d.]+ ms +1\n")
        self.assertEqual(answer.stderr.count("note: registers and spills of kernels are not counted: no ptxas"), 1)
        record, = self.records("out")
        self.assertEqual((record["samples_run"], len(record["samples_compile"])), ([], 1))
        self.assertIsNone(record["seconds_run"])
        counters = record["counters"]
        self.assertFalse([name for name in counters if name.startswith("sm_")])
        self.assertEqual((counters["kernels"], counters["compiles"]), (1, 1))
        self.assertFalse({"launches", "blas_calls"} & set(counters))
        self.assertIsNone(record["env"]["ptxas"])
        self.assertEqual(json.loads(self.read("b.gbench"))["benchmarks"], [])
        header, row = (line.split(",") for line in self.read("b.csv").splitlines())
        fields = dict(zip(header, row))
        self.assertEqual({fields[name] for name in ("seconds_run", "run_median", "run_low", "run_high", "gflops", "gbs",
                                                    "blas_calls", "launches", "cuda", "ptxas", "clock")}, {""})
        self.assertEqual(fields["compiles"], "1")
        self.assertNotIn("GFLOP/s", self.read("b.md"))
        self.assertEqual(json.loads(self.read("b.json"))[0]["samples_run"], [])

    def test_out_of_memory_as_it_is_timed(self):
        # The check has a process of its own, and a driver that counts anew.
        for fault in ("cublasSgemm:3:3", "cuEventRecord:5:2", "cuMemAllocAsync:3:2+"):
            with self.subTest(fault=fault):
                answer = self.cuda("bench", "--case", MATMUL, "--backend", "cublas", "--repetitions", "1", "--min-time", "0.001",
                                   "--out", "out", FAKE_CUDA_FAIL=fault)
                self.assertEqual(answer.status, 2)
                (_, verdict, reason), = self.verdicts()
                self.assertEqual(verdict, "SKIP")
                self.assertIn("of 1.074 GB free", reason)

    def test_what_is_too_large_to_run_is_compiled(self):
        self.assertEqual(self.bench("matmul m=512 k=512 n=512", ASSAY_PTXAS="").status, 2)
        record, = self.records("out")
        self.assertEqual((record["verdict"], len(record["samples_compile"])), ("SKIP", 1))
        self.assertGreater(record["counters"]["object_bytes"], 0)

    def test_what_ptxas_says(self):
        if "none on PATH" in self.assay("doctor").stdout:
            self.skipTest("no ptxas")
        self.assertEqual(self.bench(MATMUL, XDG_CACHE_HOME=self.folder).status, 0)
        counters = self.records("out")[0]["counters"]
        for architecture in (80, 90, 100, 120):
            self.assertGreater(counters[f"sm_{architecture}_registers"], 15)
            self.assertGreater(counters[f"sm_{architecture}_shared_bytes"], 0)
            self.assertEqual(counters[f"sm_{architecture}_matmul_spill_bytes"], 0)
            self.assertEqual(counters[f"sm_{architecture}_spill_bytes"], 0)
        self.assertEqual(counters["kernels"], 1)


if __name__ == "__main__":
    unittest.main()
