"""Builds the compiled core; where that cannot be done, the package goes without it.

TEXTCLUST_BUILD_NATIVE=0 leaves it out, `required` fails where it cannot be built, and `plain`
builds it without the vector types of gcc and clang, as other compilers do.
"""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

WANTED = os.environ.get("TEXTCLUST_BUILD_NATIVE", "")
# MSVC knows C99 by default but for `restrict`; no flag allows it to round otherwise than C says.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno", "-Wno-psabi"]
MACROS = [("TEXTCLUST_PLAIN_C", "1")] if WANTED == "plain" else []


def core(name: str) -> Extension:
    """One compiled module; SIMD is chosen at run time, so no flag names a processor."""
    source = f"textclust/native/{name}.pyx"
    return Extension(
        f"textclust.native.{name}", [source], define_macros=MACROS, extra_compile_args=FLAGS
    )


modules = ["assignment", "cleaning", "products", "rows", "sums", "tars", "tokens"]
wanted = [] if WANTED == "0" else modules
extensions = cythonize([core(name) for name in wanted], language_level=3, build_dir="build")
for extension in extensions:
    extension.optional = WANTED not in ("required", "plain")
setup(ext_modules=extensions)
