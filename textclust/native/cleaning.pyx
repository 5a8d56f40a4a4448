# cython: wraparound=False
"""Cleans files in plain ASCII as `textclust.text.cleaning` does, in a quarter of the time.

What is searched for in every line is found here; what only some lines lead to is left to the
patterns of `textclust.text.messages`, and all that is unusual to the path in Python. The bytes are
never written to, and a part of them is two places in them until it is known to be kept. Every index
is checked but in `is_plain`, `find` and `part`, which see to their bounds themselves.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memchr

cdef enum:
    MOST_HEADERS = 500
    LONGEST_NAME = 76
    LONGEST_VALUE = 1000
    LONGEST_ATTRIBUTION = 200
    SIGNATURE_LINES = 15
    MOST_BLANKS = 4
    HTML_BEGINNING = 2048
    FEW_TAGS = 3
    LONGEST_REFERENCE = 34

cdef enum:  # the headers that are needed, those about the content first
    SUBJECT, KEYWORDS, SUMMARY, DATE, CONTENT_TYPE, CONTENT_ENCODING, N_NEEDED

cdef tuple NEEDED = (
    b"subject", b"keywords", b"summary", b"date", b"content-type", b"content-transfer-encoding"
)
cdef tuple UNMISTAKABLE = (b"newsgroups", b"xref", b"archive-name")
cdef tuple VERBS = (b"write", b"writes", b"wrote", b"says", b"said")

cdef struct Value:  # where the value of a header is; it begins at 0 where there is none
    Py_ssize_t begin
    Py_ssize_t end


cdef class Cleaner:
    """Called with the bytes of a file: its text and the date it was sent; None if it is not plain.

    The patterns are for bytes: `Re:` and its like, a line that cites, one that cites or dates, a
    line break that a quotation follows, a tag, and what may be an accent of LaTeX.
    """

    cdef object reply, cites, cites_or_dates, quote_follows, tag, accent, looks_like_html

    def __init__(self, reply, cites, cites_or_dates, quote_follows, tag, accent, looks_like_html):
        self.reply, self.looks_like_html = reply.match, looks_like_html
        self.cites, self.cites_or_dates = cites.match, cites_or_dates.match
        self.quote_follows = quote_follows.match
        self.tag, self.accent = tag.search, accent.search

    def __call__(self, bytes data):
        cdef Value[N_NEEDED] values
        cdef Py_ssize_t begin, end = len(data)
        if not is_plain(data):
            return None
        begin = read_headers(data, values)
        if not begin:
            return None if self.is_marked_up(data, 0, end) else (data.decode("ascii"), None)
        if not values[SUBJECT].begin or not values[DATE].begin:
            return None
        if values[CONTENT_TYPE].begin or values[CONTENT_ENCODING].begin:
            return None
        while begin < end and data[begin] == c"\n":
            begin += 1
        while begin < end and data[end - 1] == c"\n":
            end -= 1
        return self.clean_message(data, values, begin, end)

    cdef tuple clean_message(self, bytes data, Value* values, Py_ssize_t begin, Py_ssize_t end):
        """The text and date of a message, whose body has a line break before it if it has any."""
        cdef bytes head = self.subject_matter(data, values)
        cdef list kept = []
        if head is None:
            return None
        if begin < end:
            if may_be_headers(data, begin, end):
                return None
            if has_clues(data, begin, end) or self.is_marked_up(data, begin, end):
                return None
            kept = self.without_attributions(data, begin, without_signature(data, begin, end))
        text = "".join(kept)
        if head:
            text = head.decode("ascii") + ("\n" + text if len(text) > 1 else "")
        else:
            text = text[1:]
        return text, on_one_line(data, values[DATE]).decode("ascii")

    cdef bytes subject_matter(self, bytes data, Value* values):
        """What the headers say about the content, a line each; None where one is unusual."""
        cdef list lines = []
        cdef bytes value
        cdef int i
        for i in range(DATE):
            if values[i].begin:
                value = on_one_line(data, values[i])
                if len(value) > LONGEST_VALUE:
                    return None
                if find(value, c"=", 0, len(value)) < len(value) and b"=?" in value:
                    return None
                if self.is_marked_up(value, 0, len(value)):
                    return None
                value = self.without_reply(value)
                if value:
                    lines.append(value)
        return lines[0] if len(lines) == 1 else b"\n".join(lines)

    cdef bytes without_reply(self, bytes value):
        """The value after `Re:`, as often as it comes, and its like, which the pattern finds."""
        cdef Py_ssize_t begin = 0, end = len(value)
        while begin + 3 <= end and is_word(value, begin, begin + 3, b"re:"):
            begin = after_blanks(value, begin + 3, end)
        if begin < end and value[begin] | 32 in (c"r", c"a", c"f", c"w", c"s"):
            if find(value, c":", begin, end) < end:
                found = self.reply(value, begin)
                begin = found.end() if found else begin
        return part(value, begin, end) if begin else value

    cdef bint is_marked_up(self, bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
        """Whether there may be tags, references or accents in it."""
        if self.is_html(data, begin, end) or has_references(data, begin, end):
            return True
        cdef Py_ssize_t place = find(data, c"\\", begin, end)
        if place < end and self.accent(data, max(begin, place - 2), end):
            return True
        place = find(data, c"<", begin, end)
        while place < end and not may_be_tag(data, place + 1, end):
            place = find(data, c"<", place + 1, end)
        return place < end and self.tag(data, place, end) is not None

    cdef bint is_html(self, bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
        """Whether it looks like HTML, which takes a tag at the beginning or several near it."""
        cdef int tags = 0
        end = min(begin + HTML_BEGINNING, end)
        cdef Py_ssize_t bracket = find(data, c"<", begin, end)
        if bracket < end and bracket == after_blanks(data, begin, end):
            tags = FEW_TAGS
        while bracket < end and tags < FEW_TAGS:
            tags += may_be_tag(data, bracket + 1, end)
            bracket = find(data, c"<", bracket + 1, end)
        return tags == FEW_TAGS and self.looks_like_html(data[begin:end].decode("ascii"))

    cdef list without_attributions(self, bytes data, Py_ssize_t begin, Py_ssize_t end):
        """The pieces between those that say who said what: a line that ends in `writes:`, or two.

        Each begins with a line break, the first with that before the body.
        """
        cdef list kept = []
        cdef Py_ssize_t done = begin - 1, before = -1, line = begin - 1, start
        cdef Py_ssize_t stop = find(data, c"\n", begin, end)
        while stop < end:
            if is_said(data, line, stop):
                start = line
                if before >= done and data[before + 1] in (c"I", c"O"):
                    start = before if self.cites_or_dates(data, before, end) else line
                cites = data[start + 1] == c"I" and self.cites(data, start, end)
                if cites or self.quote_follows(data, stop, end):
                    kept.append(data[done:start].decode("ascii"))
                    done = stop
            before, line, stop = line, stop, find(data, c"\n", stop + 1, end)
        kept.append(data[done:end].decode("ascii"))
        return kept


cdef Py_ssize_t read_headers(bytes data, Value* values) except -1:
    """Find the first value of each needed header; where the block ends, 0 where there is none."""
    cdef Py_ssize_t n = len(data), begin = first_header(data, 0, n), colon, end
    cdef int i, headers = 0
    for i in range(N_NEEDED):
        values[i].begin = 0
    while (colon := name_end(data, begin, n)) > 0:
        headers += 1
        end = header_end(data, colon, n)
        if colon - begin in (4, 7, 8, 12, 25) and data[begin] | 32 in (c"s", c"d", c"k", c"c"):
            for i in range(N_NEEDED):
                if not values[i].begin and is_word(data, begin, colon, NEEDED[i]):
                    values[i].begin, values[i].end = colon + 1, end
        begin = min(end + 1, n)
    if headers > MOST_HEADERS:
        values[SUBJECT].begin = 0
    return begin if headers else 0


cdef Py_ssize_t first_header(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Where the first header is, if there is any: after white space and a line `From `."""
    cdef Py_ssize_t stop
    begin = after_blanks(data, begin, end)
    if begin < end and data[begin] == c"F" and data.startswith(b"From ", begin, end):
        stop = find(data, c"\n", begin, end)
        return stop + 1 if stop < end else begin
    return begin


cdef Py_ssize_t name_end(bytes data, Py_ssize_t begin, Py_ssize_t end) except -2:
    """Where the colon after the name of a header is; -1 where no header begins."""
    cdef Py_ssize_t i
    for i in range(begin, min(begin + LONGEST_NAME + 1, end)):
        if data[i] == c":":
            return i if i > begin and is_letter(data[begin]) else -1
        if not c"!" <= data[i] <= c"~":
            return -1
    return -1


cdef Py_ssize_t header_end(bytes data, Py_ssize_t colon, Py_ssize_t end) except -1:
    """The line break that ends a header, or the end; its value may be folded."""
    cdef Py_ssize_t stop = find(data, c"\n", colon, end)
    while stop + 1 < end and is_blank(data[stop + 1]):
        stop = find(data, c"\n", stop + 1, end)
    return stop


cdef bint may_be_headers(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Whether a body may begin with another header block: a lone `Name:` is hardly ever one."""
    begin = first_header(data, begin, end)
    cdef Py_ssize_t colon = name_end(data, begin, end)
    if colon < 0:
        return False
    for name in UNMISTAKABLE:
        if is_word(data, begin, colon, name):
            return True
    return name_end(data, header_end(data, colon, end) + 1, end) > 0


cdef bint has_clues(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Whether a header that names the newsgroup may be quoted or forwarded in it."""
    cdef Py_ssize_t colon = find(data, c":", begin, end)
    while colon < end:
        if colon - begin >= 4 and data[colon - 2] | 32 in (c"t", c"e", c"p"):
            if is_word(data, colon - 4, colon, b"path") or is_word(data, colon - 4, colon, b"xref"):
                return True
            if colon - begin >= 10 and is_word(data, colon - 10, colon, b"newsgroups"):
                return True
        colon = find(data, c":", colon + 1, end)
    return False


cdef Py_ssize_t without_signature(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """End the body before its last `-- ` line, if as little follows as in a signature."""
    cdef Py_ssize_t stop = stripped(data, begin, end), line = stop
    cdef int i
    for i in range(SIGNATURE_LINES + 2):
        while line >= begin and data[line - 1] != c"\n":
            line -= 1
        if line < begin:
            break
        if 2 <= stop - line <= 3 and data[line] == c"-" and data[line + 1] == c"-":
            if stop - line == 2 or data[stop - 1] == c" ":
                if i <= SIGNATURE_LINES or line == begin:
                    return max(begin, stripped(data, begin, line))
        line -= 1
        stop = line
    return end


cdef Py_ssize_t stripped(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """The end without white space, that of the line break before the beginning too."""
    while end >= begin and is_space(data[end - 1]):
        end -= 1
    return end


cdef bint is_said(bytes data, Py_ssize_t line, Py_ssize_t end) except -1:
    """Whether `writes:` or its like ends the line between two line breaks, not too far into it."""
    end = before_blanks(data, end)
    if data[end - 1] == c":":
        end -= 1
    elif end - line > 3 and data[end - 1] == data[end - 2] == data[end - 3] == c".":
        end -= 3
    else:
        return False
    end = before_blanks(data, end)
    if data[end - 1] in (c"e", c"s", c"d"):
        for verb in VERBS:
            if data.endswith(verb, line, end):
                return end - len(verb) - line <= LONGEST_ATTRIBUTION
    return False


cdef Py_ssize_t after_blanks(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """The place after all white space."""
    while begin < end and is_space(data[begin]):
        begin += 1
    return begin


cdef Py_ssize_t before_blanks(bytes data, Py_ssize_t end) except -1:
    """The place before up to four blanks; a line break comes before them."""
    cdef int i
    for i in range(MOST_BLANKS):
        if not is_blank(data[end - 1]):
            break
        end -= 1
    return end


cdef bytes on_one_line(bytes data, Value value):
    """A header's value on one line."""
    cdef Py_ssize_t begin = after_blanks(data, value.begin, value.end), end = value.end, i
    while end > begin and is_space(data[end - 1]):
        end -= 1
    for i in range(begin, end):
        if is_space(data[i]) and (data[i] != c" " or data[i + 1] == c" "):
            return b" ".join(part(data, begin, end).split())
    return part(data, begin, end)


cdef bint is_word(bytes data, Py_ssize_t begin, Py_ssize_t end, bytes word) except -1:
    """Whether a word in lower case stands between two places, in any case."""
    cdef Py_ssize_t i
    if end - begin != len(word):
        return False
    for i in range(len(word)):
        if data[begin + i] | 32 != word[i]:  # no control character is in the data
            return False
    return True


cdef bint may_be_tag(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Whether what follows a bracket may be the rest of a tag."""
    cdef Py_ssize_t i = begin + 1 if begin < end and data[begin] == c"/" else begin
    if i >= end or not is_letter(data[i]):
        return False
    while i < end and is_letter_or_digit(data[i]):
        i += 1
    return i < end and (is_space(data[i]) or data[i] in (c"/", c">"))


cdef bint has_references(bytes data, Py_ssize_t begin, Py_ssize_t end) except -1:
    """Whether a reference of HTML may be in it: what stands before some semicolon looks so."""
    cdef Py_ssize_t semicolon = find(data, c";", begin, end), i
    while semicolon < end:
        i = semicolon - 1
        while i >= begin and semicolon - i < LONGEST_REFERENCE and is_letter_or_digit(data[i]):
            i -= 1
        if i >= begin and data[i] in (c"&", c"#"):
            return True
        if semicolon - i > 4 and is_word(data, semicolon - 4, semicolon, b"quot"):
            return True
        semicolon = find(data, c";", semicolon + 1, end)
    return False


@cython.boundscheck(False)
cdef bint is_plain(bytes data):
    """Whether all is printable ASCII, but for tabs and line breaks."""
    cdef const unsigned char* units = data
    cdef unsigned char odd = 0, unit
    cdef Py_ssize_t i
    for i in range(len(data)):
        unit = units[i]
        odd |= (<unsigned char>(unit - 32) > 94) & (unit != c"\n") & (unit != c"\t")
    return odd == 0


cdef Py_ssize_t find(bytes data, char unit, Py_ssize_t begin, Py_ssize_t end):
    """Where a character is next, or the end."""
    cdef const char* units = data
    if begin < 0 or begin >= end or end > len(data):
        return end
    cdef const char* found = <const char*>memchr(units + begin, unit, end - begin)
    return found - units if found else end


cdef bytes part(bytes data, Py_ssize_t begin, Py_ssize_t end):
    """The bytes between two places."""
    cdef const char* units = data
    if begin < 0 or begin >= end or end > len(data):
        return b""
    return PyBytes_FromStringAndSize(units + begin, end - begin)


cdef bint is_blank(char unit) noexcept:
    return unit == c" " or unit == c"\t"


cdef bint is_space(char unit) noexcept:
    return unit == c" " or unit == c"\t" or unit == c"\n"


cdef bint is_letter(char unit) noexcept:
    return c"a" <= unit | 32 <= c"z"


cdef bint is_letter_or_digit(char unit) noexcept:
    return is_letter(unit) or c"0" <= unit <= c"9"
