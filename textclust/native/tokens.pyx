# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The tokeniser-counter: texts to the counts of their tokens, straight into flat arrays.

A token is a maximal run of at least two word characters, those of `str.isalnum` and "_":
what the pattern `\\b\\w\\w+\\b` finds in the text in lower case. A `TermTable` numbers the
distinct tokens, its terms, in the order it meets them, and spells them in UTF-8 in one
arena. Tokens are spelled at the arena's end as they are read, and the new ones stay there.

The terms of one text are told from those before by the place of their latest entry, so a
text costs what its tokens cost. Scanning needs no interpreter: threads share the work by
having a table each, and `absorb` makes these one.
"""

from cpython.array cimport array, clone
from cpython.mem cimport PyMem_RawFree, PyMem_RawRealloc
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

import os


cdef extern from "Python.h" nogil:
    bint Py_UNICODE_ISALNUM(Py_UCS4)
    int PyUnicode_KIND(object)
    void* PyUnicode_DATA(object)
    object PyUnicode_DecodeUTF8(const char*, Py_ssize_t, const char*)

cdef extern from "tokens.h" nogil:
    const uint64_t FIELD_ORDER
    uint64_t field_product(uint64_t, uint64_t)
    uint32_t scattered(uint64_t)
    void prefetch(const void*)

ctypedef fused Unit:
    uint8_t
    uint16_t
    uint32_t

cdef struct Text:
    const void* units
    int64_t length
    int kind

cdef struct Term:
    int64_t begin  # of its spelling, which ends where that of the next term begins
    int64_t entry  # its latest, counted from the first text on
    int64_t frequency  # how many texts have it

cdef struct Slot:
    uint32_t tag
    uint32_t term  # its number and one; 0 where the slot is free

cdef struct Spelling:
    uint8_t* end
    uint64_t hash
    uint64_t word  # up to seven bytes that are not in the hash yet
    int shift

cdef struct Token:
    int64_t length
    uint32_t tag
    uint32_t guess  # the term it probably is

cdef array INTS = array("i")
cdef array LONGS = array("q")

cdef enum:
    WAITING = 64  # tokens looked up together

cdef uint32_t[256] LOWER  # of the first 256 characters; 0 for what is in no word
cdef uint32_t[256] AS_IS
for code in range(256):
    AS_IS[code] = code if chr(code).isalnum() or chr(code) == "_" else 0
    LOWER[code] = ord(chr(code).lower()) if AS_IS[code] else 0


cdef class TermTable:
    """The terms of the texts counted so far.

    Stop words come first and are never counted; the numbers of the other terms begin after
    them. Given a vocabulary, the table takes in no term but those, numbered in their order.
    """

    cdef uint64_t key
    cdef const uint32_t* letters
    cdef bint lowercase, closed
    cdef int64_t stops, n_terms, n_slots, n_entries
    cdef int64_t arena_size, terms_size, entries_size
    cdef uint8_t* arena
    cdef Term* terms
    cdef Slot* slots
    cdef int32_t* numbers  # of the entries of the present batch
    cdef int32_t* counts

    def __cinit__(self, stop_words=(), vocabulary=None, bint lowercase=True):
        self.key = int.from_bytes(os.urandom(8), "little") % (FIELD_ORDER - 1) + 1
        self.letters = &LOWER[0] if lowercase else &AS_IS[0]
        self.lowercase = lowercase
        self.reserve_terms(256)
        self.reserve_slots(512)
        self.terms[0].begin = 0
        self.reserve_arena(64)  # letters of nothing are somewhere too: memcmp takes no null pointer
        for word in stop_words:
            self.take_in(word)
        self.stops = self.n_terms
        for word in vocabulary or ():
            self.take_in(word)
        self.closed = vocabulary is not None

    def __dealloc__(self):
        PyMem_RawFree(self.arena)
        PyMem_RawFree(self.terms)
        PyMem_RawFree(self.slots)
        PyMem_RawFree(self.numbers)
        PyMem_RawFree(self.counts)

    def __len__(self):
        return self.n_terms - self.stops

    def count(self, list texts):
        """Where the entries of each text end, and the term and the count of each entry."""
        if self.lowercase:  # in full: beyond Latin-1 one letter may become two
            texts = [text if PyUnicode_KIND(text) == 1 else str.lower(text) for text in texts]
        cdef int64_t row, rows = len(texts), batch = self.n_entries
        cdef array ends = clone(LONGS, rows, False)
        cdef int64_t[::1] to_ends = ends
        cdef Text* views = <Text*>resized(NULL, (rows + 1) * sizeof(Text))
        try:
            for row, text in enumerate(texts):
                views[row] = Text(PyUnicode_DATA(text), len(text), PyUnicode_KIND(text))
            with nogil:
                for row in range(rows):
                    self.count_text(views[row], batch)
                    to_ends[row] = self.n_entries - batch
        finally:
            PyMem_RawFree(views)
        cdef int64_t size = self.n_entries - batch
        return ends, copied(self.numbers, size), copied(self.counts, size)

    def frequencies(self):
        """In how many texts each term occurs."""
        cdef int64_t i
        cdef array frequencies = clone(LONGS, len(self), False)
        cdef int64_t[::1] to_frequencies = frequencies
        for i in range(to_frequencies.shape[0]):
            to_frequencies[i] = self.terms[self.stops + i].frequency
        return frequencies

    def spelled(self, const int64_t[::1] numbers):
        """The terms of these numbers."""
        cdef int64_t i, length
        cdef const Term* term
        cdef list words = []
        for i in range(numbers.shape[0]):
            term = self.terms + self.stops + numbers[i]
            length = term[1].begin - term.begin
            words.append(
                PyUnicode_DecodeUTF8(<char*>self.arena + term.begin, length, "surrogatepass")
            )
        return words

    def absorb(self, TermTable other):
        """Take in the terms of another table; the numbers they have in this one."""
        cdef int64_t i, number
        cdef const Term* term
        cdef array numbers = clone(INTS, len(other), False)
        cdef int32_t[::1] to_numbers = numbers
        with nogil:
            self.reserve_arena(other.terms[other.n_terms].begin)
            for i in range(to_numbers.shape[0]):
                term = other.terms + other.stops + i
                number = self.number_of(other.arena + term.begin, term[1].begin - term.begin)
                self.terms[number].frequency += term.frequency
                to_numbers[i] = number - self.stops
        return numbers

    cdef int count_text(self, Text text, int64_t batch) except -1 nogil:
        if text.kind == 1:
            return self.scan(<const uint8_t*>text.units, text.length, batch)
        if text.kind == 2:
            return self.scan(<const uint16_t*>text.units, text.length, batch)
        return self.scan(<const uint32_t*>text.units, text.length, batch)

    cdef int scan(self, const Unit* text, int64_t length, int64_t batch) except -1 nogil:
        """Count the tokens of a text; the entries of its batch begin at `batch`."""
        self.reserve_arena(length * (2 if Unit is uint8_t else 3 if Unit is uint16_t else 4))
        cdef int64_t i = 0, first, row = self.n_entries
        cdef int waiting = 0
        cdef uint32_t letter
        cdef uint64_t key = self.key  # here, as writing bytes might change what self points to
        cdef const uint32_t* lower = self.letters
        cdef Spelling spelling
        cdef Token[WAITING] tokens
        cdef uint8_t* begin = self.arena + self.terms[self.n_terms].begin
        while True:
            while i < length and not letter_of(text[i], lower):
                i += 1
            if i == length:
                break
            first = i
            spelling = Spelling(begin, 0, 0, 0)
            letter = letter_of(text[i], lower)
            while letter:  # a zero ends every string
                spell(&spelling, letter, key)
                i += 1
                letter = letter_of(text[i], lower)
            if i - first < 2:
                continue
            tokens[waiting] = Token(spelling.end - begin, tag_of(&spelling, key), 0)
            prefetch(self.slots + (tokens[waiting].tag & (self.n_slots - 1)))
            waiting += 1
            begin = spelling.end
            if waiting == WAITING:
                self.enter_all(tokens, waiting, row, batch)
                begin = self.arena + self.terms[self.n_terms].begin
                waiting = 0
        return self.enter_all(tokens, waiting, row, batch)

    cdef int enter_all(self, Token* tokens, int n, int64_t row, int64_t batch) except -1 nogil:
        """Look up and count tokens, spelled one after the other at the arena's end.

        Far memory is asked for ahead: the slot by now, then its term, then the spelling.
        """
        cdef int i
        cdef const Slot* slot
        cdef int64_t term, begin = self.terms[self.n_terms].begin
        for i in range(n):
            slot = self.slots + (tokens[i].tag & (self.n_slots - 1))
            tokens[i].guess = slot.term - 1 if slot.term and slot.tag == tokens[i].tag else 0
            prefetch(self.terms + tokens[i].guess)
        for i in range(n):
            prefetch(self.arena + self.terms[tokens[i].guess].begin)
        for i in range(n):
            term = self.number(begin, tokens[i].length, tokens[i].tag)
            begin += tokens[i].length
            if term >= self.stops:
                self.enter(term, row, batch)
        return 0

    cdef inline int enter(self, int64_t term, int64_t row, int64_t batch) except -1 nogil:
        """Count a term once more in the text whose entries begin at `row`."""
        cdef Term* known = self.terms + term
        if known.entry >= row:
            self.counts[known.entry - batch] += 1
            return 0
        cdef int64_t place = self.n_entries - batch
        self.reserve_entries(place + 1)
        self.numbers[place] = term - self.stops
        self.counts[place] = 1
        known.entry = self.n_entries
        known.frequency += 1
        self.n_entries += 1
        return 0

    cdef inline int64_t number(self, int64_t begin, int64_t length, uint32_t tag) except? -2 nogil:
        """The term spelled at `begin`, taken in if it is new; -1 if it may not be."""
        cdef int64_t slot = tag & (self.n_slots - 1)
        cdef const Term* term
        while self.slots[slot].term:
            if self.slots[slot].tag == tag:
                term = self.terms + self.slots[slot].term - 1
                if term[1].begin - term.begin == length and memcmp(
                    self.arena + term.begin, self.arena + begin, length
                ) == 0:
                    return self.slots[slot].term - 1
            slot = (slot + 1) & (self.n_slots - 1)
        return -1 if self.closed else self.new_term(slot, begin, length, tag)

    cdef int64_t new_term(
        self, int64_t slot, int64_t begin, int64_t length, uint32_t tag
    ) except? -2 nogil:
        cdef int64_t term = self.n_terms
        if term + 1 >= INT32_MAX:
            with gil:
                raise OverflowError("there are more than 2^31 distinct terms")
        self.reserve_terms(term + 2)
        memmove(self.arena + self.terms[term].begin, self.arena + begin, length)
        self.terms[term].entry = -1
        self.terms[term].frequency = 0
        self.terms[term + 1].begin = self.terms[term].begin + length
        self.slots[slot] = Slot(tag, term + 1)
        self.n_terms += 1
        if 3 * self.n_terms > 2 * self.n_slots:
            self.reserve_slots(2 * self.n_slots)
        return term

    cdef int take_in(self, str word) except -1:
        cdef bytes spelled = word.encode("utf-8", "surrogatepass")
        self.reserve_arena(len(spelled))
        self.number_of(spelled, len(spelled))
        return 0

    cdef int64_t number_of(self, const uint8_t* word, int64_t length) except? -2 nogil:
        """The term of this spelling, which the arena has room for."""
        cdef int64_t i, begin = self.terms[self.n_terms].begin
        cdef Spelling spelling = Spelling(self.arena + begin, 0, 0, 0)
        for i in range(length):
            spell_byte(&spelling, word[i], self.key)
        return self.number(begin, length, tag_of(&spelling, self.key))

    cdef int reserve_arena(self, int64_t more) except -1 nogil:
        cdef int64_t size = self.terms[self.n_terms].begin + more
        if size > self.arena_size:
            size += size // 2
            self.arena = <uint8_t*>resized(self.arena, size)
            self.arena_size = size
        return 0

    cdef int reserve_terms(self, int64_t size) except -1 nogil:
        if size > self.terms_size:
            self.terms = <Term*>resized(self.terms, 2 * size * sizeof(Term))
            self.terms_size = 2 * size
        return 0

    cdef int reserve_entries(self, int64_t size) except -1 nogil:
        if size > self.entries_size:
            size = 2 * size + 1024
            self.numbers = <int32_t*>resized(self.numbers, size * sizeof(int32_t))
            self.counts = <int32_t*>resized(self.counts, size * sizeof(int32_t))
            self.entries_size = size
        return 0

    cdef int reserve_slots(self, int64_t n_slots) except -1 nogil:
        """Move all terms to so many slots, a power of two."""
        cdef int64_t i, slot
        cdef Slot* slots = <Slot*>resized(NULL, n_slots * sizeof(Slot))
        memset(slots, 0, n_slots * sizeof(Slot))
        for i in range(self.n_slots):
            if self.slots[i].term:
                slot = self.slots[i].tag & (n_slots - 1)
                while slots[slot].term:
                    slot = (slot + 1) & (n_slots - 1)
                slots[slot] = self.slots[i]
        PyMem_RawFree(self.slots)
        self.slots, self.n_slots = slots, n_slots
        return 0


cdef inline uint32_t letter_of(uint32_t code, const uint32_t* lower) noexcept nogil:
    """The letter to spell a character by; 0 if it is in no word."""
    if code < 256:
        return lower[code]
    return code if Py_UNICODE_ISALNUM(code) else 0


cdef inline void spell(Spelling* spelling, uint32_t letter, uint64_t key) noexcept nogil:
    """In UTF-8; a surrogate alone is spelled like any other letter."""
    if letter < 0x80:
        spell_byte(spelling, letter, key)
        return
    if letter < 0x800:
        spell_byte(spelling, 0xC0 | letter >> 6, key)
    else:
        if letter < 0x10000:
            spell_byte(spelling, 0xE0 | letter >> 12, key)
        else:
            spell_byte(spelling, 0xF0 | letter >> 18, key)
            spell_byte(spelling, 0x80 | letter >> 12 & 0x3F, key)
        spell_byte(spelling, 0x80 | letter >> 6 & 0x3F, key)
    spell_byte(spelling, 0x80 | letter & 0x3F, key)


cdef inline void spell_byte(Spelling* spelling, uint64_t byte, uint64_t key) noexcept nogil:
    spelling.end[0] = <uint8_t>byte
    spelling.end += 1
    spelling.word |= byte << spelling.shift
    spelling.shift += 8
    if spelling.shift == 56:
        spelling.hash = field_product(spelling.hash + spelling.word, key)
        spelling.word = spelling.shift = 0


cdef inline uint32_t tag_of(const Spelling* spelling, uint64_t key) noexcept nogil:
    return scattered(field_product(spelling.hash + spelling.word, key))


cdef void* resized(void* memory, size_t size) except NULL nogil:
    memory = PyMem_RawRealloc(memory, size)
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory


cdef array copied(const int32_t* values, int64_t size):
    cdef array copy = clone(INTS, size, False)
    if size:
        memcpy(copy.data.as_voidptr, values, size * sizeof(int32_t))
    return copy
