"""Builds the compiled core; where that cannot be done, the package goes without it."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-math-errno", "-Wno-psabi"]


def core(name: str) -> Extension:
    """One compiled module; SIMD is chosen at run time, so no flag names a processor."""
    source = f"textclust/native/{name}.pyx"
    return Extension(f"textclust.native.{name}", [source], extra_compile_args=FLAGS)


modules = ["assignment", "cleaning", "products", "rows", "tokens"]
wanted = [] if os.environ.get("TEXTCLUST_BUILD_NATIVE") == "0" else modules
extensions = cythonize([core(name) for name in wanted], language_level=3, build_dir="build")
for extension in extensions:
    extension.optional = True
setup(ext_modules=extensions)
