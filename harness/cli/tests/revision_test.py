# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which revision records carry: that of the binary, whatever became of the source folder since."""

import os
import re
import subprocess
import unittest

from support import SOURCE, CommandTest

SCRIPT = os.path.join(SOURCE, "ci/cmake/AssayRevision.cmake")
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]


class Revision(CommandTest):

    def git(self, *words, folder):
        return subprocess.run([*GIT, *words], cwd=folder, check=True, text=True,
                              capture_output=True).stdout.strip()

    def commit(self, folder):
        self.git("init", "--quiet", folder=folder)
        self.git("add", "CMakeLists.txt", folder=folder)
        self.git("commit", "--quiet", "-m", "a", folder=folder)

    def generate(self, source, **variables):
        """The value in the generated file, and when that was written."""
        path = os.path.join(self.folder, "revision.c")
        subprocess.run(["cmake", f"-DSOURCE={source}", f"-DFILE={path}", "-P", SCRIPT], check=True,
                       env={**os.environ, **variables})
        with open(path) as file:
            value = re.search(r"assay_revision = (.*);", file.read())[1]
        return value, os.stat(path).st_mtime_ns

    def test_a_build_writes_it_where_it_changed(self):
        source = os.path.join(self.folder, "source")
        os.mkdir(source)
        path = self.write("source/CMakeLists.txt", "")
        self.assertEqual(self.generate(source)[0], "NULL")
        self.commit(source)
        clean = self.generate(source)
        head = self.git("rev-parse", "--short=12", "HEAD", folder=source)
        self.assertEqual(clean[0], f'"{head}"')
        self.assertEqual(self.generate(source), clean)
        with open(path, "w") as file:
            file.write("changed\n")
        self.assertEqual(self.generate(source)[0], f'"{head}-dirty"')

    def test_the_repository_around_is_somebody_elses(self):
        os.mkdir(os.path.join(self.folder, "unpacked"))
        self.write("CMakeLists.txt", "")
        self.write("unpacked/CMakeLists.txt", "")
        self.commit(self.folder)
        self.assertEqual(self.generate(os.path.join(self.folder, "unpacked"))[0], "NULL")

    def test_without_git(self):
        cmake = subprocess.run(["which", "cmake"], check=True, text=True, capture_output=True).stdout.strip()
        os.mkdir(os.path.join(self.folder, "bin"))
        os.symlink(os.path.realpath(cmake), os.path.join(self.folder, "bin/cmake"))
        self.assertEqual(self.generate(SOURCE, PATH=os.path.join(self.folder, "bin"))[0], "NULL")

    def test_work_in_the_root_changes_nothing(self):
        def told(**variables):
            return re.search(r"(?m)^revision +(.*)$", self.assay("doctor", **variables).stdout)[1]
        built = told()
        with open(os.path.join(self.root, "CMakeLists.txt"), "w") as file:
            file.write("changed\n")
        self.commit(self.root)
        self.assertEqual(told(), built)
        self.assertEqual(told(ASSAY_REVISION="mine-7"), "mine-7")


if __name__ == "__main__":
    unittest.main()
