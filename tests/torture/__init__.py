"""Torture: random inputs, damage, kills and full disks, for as long as there is time.

    python -m tests.torture --time 60m

trials     what a test is given, and the registry of tests: `TORTURES`
worker     a process that makes one try after another of one test
slices     a worker watched from outside: a crash, a hang or a want of memory is a failure
campaign   the time shared out among the tests; what was tried, kept for the next run
failures   what is kept of a failure, and how it is repeated
mutants    faults put in on purpose, each of which a test has to find

mutation, samples, children, scenes    what the tests share: mutated bytes, valid files, processes,
    folders with results
readers, numbers, models, durability, workbench, together, hostile, repeats, soak    the tests
"""
