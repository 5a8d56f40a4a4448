"""Start a command and report its seconds and its use of the machine, as JSON.

python -I -S launch.py COMMAND...

The kernel counts the peak of a process from that of the process which started it, so the one
that starts a command to be measured has to be small: it imports next to nothing.
"""

import json
import os
import sys
import time

started = time.perf_counter()
nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[nowhere])
_, status, usage = os.wait4(child, 0)
seconds = time.perf_counter() - started
print(
    json.dumps(
        {
            "seconds": seconds,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss * 1024,
            "code": os.waitstatus_to_exitcode(status),
        }
    )
)
