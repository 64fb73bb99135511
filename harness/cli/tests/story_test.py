# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of docs/ whose commands give what stands there."""

import os
import subprocess
import unittest

from support import PROGRAM, SOURCE, CommandTest


def commands(page):
    """Each command of a page with the lines that it prints."""
    found, open_line = [], False
    for line in page.splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found and open_line:
            found[-1] = (found[-1][0] + "\n" + line[4:], [])
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
        open_line = line.endswith("\\")
    return found


class Stories(CommandTest):
    needs_store = False

    def tell(self, name):
        """All commands in one shell's folder, each in a shell of its own that knows what was set."""
        build = os.path.dirname(PROGRAM)
        for target, link in ((build, "build"), (os.path.join(SOURCE, "docs"), "docs"),
                             (os.path.join(SOURCE, "compiler"), "compiler")):
            os.symlink(target, os.path.join(self.folder, link))
        with open(os.path.join(SOURCE, "docs", name)) as file:
            story = commands(file.read())
        settings = "set -o pipefail\n"
        for command, printed in story:
            if not printed and "=" in command.split()[0]:
                settings += command + "\n"
                continue
            done = subprocess.run(["bash", "-c", settings + command], cwd=self.folder, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment())
            self.assertEqual(done.stdout.splitlines(), printed, command)
        return len(story)

    def test_from_pass_to_cause(self):
        self.assertGreater(self.tell("from-pass-to-cause.md"), 8)


if __name__ == "__main__":
    unittest.main()
