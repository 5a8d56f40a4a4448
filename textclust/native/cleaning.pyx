# cython: wraparound=False
"""Cleans files in plain ASCII as `textclust.text.cleaning` does, in a quarter of the time.

What is searched for in every line is found here; what only some lines lead to is left to the
patterns of `textclust.text.messages`, and all that is unusual to the path in Python. The bytes are
never written to. Every index is checked but in `is_plain` and `find`, which are given their bounds.
"""

cimport cython
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

cdef tuple CONTENT = (b"subject", b"keywords", b"summary")
cdef frozenset NEEDED = frozenset(
    (*CONTENT, b"date", b"content-type", b"content-transfer-encoding")
)
cdef tuple CLUES = (b"path", b"xref", b"newsgroups")
cdef tuple VERBS = (b"write", b"writes", b"wrote", b"says", b"said")


cdef class Cleaner:
    """Called with the bytes of a file: its text and the date it was sent; None if it is not plain.

    The patterns are for bytes: `Re:` and its like, a line that cites, one that cites or dates, and
    a line break that a quotation follows.
    """

    cdef object reply, cites, cites_or_dates, quote_follows, looks_like_html

    def __init__(self, reply, cites, cites_or_dates, quote_follows, looks_like_html):
        self.reply, self.looks_like_html = reply.match, looks_like_html
        self.cites, self.cites_or_dates = cites.match, cites_or_dates.match
        self.quote_follows = quote_follows.match

    def __call__(self, bytes data):
        cdef dict values = {}
        cdef Py_ssize_t begin, end = len(data)
        if not is_plain(data):
            return None
        begin = read_headers(data, values)
        if not begin:
            return None if self.is_html(data, 0) else (data.decode("ascii"), None)
        if b"subject" not in values or b"date" not in values:
            return None
        if b"content-type" in values or b"content-transfer-encoding" in values:
            return None
        while begin < end and data[begin] == c"\n":
            begin += 1
        while begin < end and data[end - 1] == c"\n":
            end -= 1
        return self.clean_message(values, data[begin - 1 : end] if begin < end else b"\n")

    cdef tuple clean_message(self, dict values, bytes body):
        """The text and date of a message, whose body has a line break before it."""
        cdef bytes head = self.subject_matter(values)
        if head is None or read_headers(body, {}) or has_clues(body) or self.is_html(body, 1):
            return None
        body = self.without_attributions(without_signature(body))
        text = head + b"\n" + body if head and len(body) > 1 else head or body[1:]
        return text.decode("ascii"), on_one_line(values[b"date"]).decode("ascii")

    cdef bytes subject_matter(self, dict values):
        """What the headers say about the content, a line each; None where one is unusual."""
        cdef list lines = []
        for name in CONTENT:
            if name in values:
                value = on_one_line(values[name])
                if len(value) > LONGEST_VALUE or b"=?" in value:
                    return None
                found = self.reply(value) if b":" in value else None
                lines.append(value[found.end() :] if found else value)
        return b"\n".join([line for line in lines if line])

    cdef bint is_html(self, bytes text, Py_ssize_t begin) except -1:
        """Whether it looks like HTML, which takes a tag at the beginning or several near it."""
        cdef Py_ssize_t end = min(begin + HTML_BEGINNING, len(text))
        cdef Py_ssize_t bracket = find(text, c"<", begin)
        cdef int brackets = 0
        if bracket < end and bracket == after_blanks(text, begin):
            brackets = FEW_TAGS
        while bracket < end and brackets < FEW_TAGS:
            brackets += 1
            bracket = find(text, c"<", bracket + 1)
        return brackets == FEW_TAGS and self.looks_like_html(text[begin:end].decode("ascii"))

    cdef bytes without_attributions(self, bytes text):
        """Leave out who said what: a line that ends in `writes:`, or two."""
        cdef list kept = []
        cdef Py_ssize_t done = 0, before = -1, line = 0, stop = find(text, c"\n", 1), start
        while stop < len(text):
            if is_said(text, line, stop):
                start = line
                if before >= done and text[before + 1] in (c"I", c"O"):
                    start = before if self.cites_or_dates(text, before) else line
                cites = text[start + 1] == c"I" and self.cites(text, start)
                if cites or self.quote_follows(text, stop):
                    kept.append(text[done:start])
                    done = stop
            before, line, stop = line, stop, find(text, c"\n", stop + 1)
        return b"".join(kept) + text[done:] if kept else text


cdef Py_ssize_t read_headers(bytes data, dict values) except -1:
    """Read the first value of each needed header; where the block ends, 0 where there is none."""
    cdef Py_ssize_t n = len(data), begin = after_blanks(data, 0), colon, end
    cdef int headers = 0
    if data.startswith(b"From ", begin) and find(data, c"\n", begin) < n:
        begin = find(data, c"\n", begin) + 1
    while (colon := name_end(data, begin)) > 0:
        headers += 1
        end = find(data, c"\n", colon)
        while end + 1 < n and is_blank(data[end + 1]):  # folded
            end = find(data, c"\n", end + 1)
        if colon - begin in (4, 7, 8, 12, 25) and data[begin] | 32 in (c"s", c"d", c"k", c"c"):
            name = data[begin:colon].lower()
            if name in NEEDED:
                values.setdefault(name, data[colon + 1 : end])
        begin = min(end + 1, n)
    if headers > MOST_HEADERS:
        values.clear()
    return begin if headers else 0


cdef Py_ssize_t name_end(bytes data, Py_ssize_t begin) except -2:
    """Where the colon after the name of a header is; -1 where no header begins."""
    cdef Py_ssize_t i
    for i in range(begin, min(begin + LONGEST_NAME + 1, len(data))):
        if data[i] == c":":
            return i if i > begin and c"a" <= data[begin] | 32 <= c"z" else -1
        if not c"!" <= data[i] <= c"~":
            return -1
    return -1


cdef bint has_clues(bytes body) except -1:
    """Whether a header that names the newsgroup may be quoted or forwarded in it."""
    cdef Py_ssize_t colon = find(body, c":", 0)
    while colon < len(body):
        if colon >= 4 and body[colon - 2] | 32 in (c"t", c"e", c"p"):
            if body[max(0, colon - 10) : colon].lower().endswith(CLUES):
                return True
        colon = find(body, c":", colon + 1)
    return False


cdef bytes without_signature(bytes body):
    """End the body before its last `-- ` line, if as little follows as in a signature."""
    cdef Py_ssize_t end = stripped(body, len(body)), line = end, i
    for i in range(SIGNATURE_LINES + 2):
        while line > 0 and body[line - 1] != c"\n":
            line -= 1
        if line == 0:
            break
        if 2 <= end - line <= 3 and body[line] == body[line + 1] == c"-":
            if (end - line == 2 or body[end - 1] == c" ") and (i <= SIGNATURE_LINES or line == 1):
                return body[: max(1, stripped(body, line))]
        line -= 1
        end = line
    return body


cdef Py_ssize_t stripped(bytes text, Py_ssize_t end) except -1:
    """The end without white space."""
    while end > 0 and (is_blank(text[end - 1]) or text[end - 1] == c"\n"):
        end -= 1
    return end


cdef bint is_said(bytes text, Py_ssize_t line, Py_ssize_t end) except -1:
    """Whether `writes:` or its like ends the line between two line breaks, not too far into it."""
    end = before_blanks(text, end)
    if text[end - 1] == c":":
        end -= 1
    elif end - line > 3 and text[end - 1] == text[end - 2] == text[end - 3] == c".":
        end -= 3
    else:
        return False
    end = before_blanks(text, end)
    for verb in VERBS:
        if text.endswith(verb, line, end):
            return end - len(verb) - line <= LONGEST_ATTRIBUTION
    return False


cdef Py_ssize_t after_blanks(bytes text, Py_ssize_t begin) except -1:
    """The place after all white space."""
    while begin < len(text) and (is_blank(text[begin]) or text[begin] == c"\n"):
        begin += 1
    return begin


cdef Py_ssize_t before_blanks(bytes text, Py_ssize_t end) except -1:
    """The place before up to four blanks; the text begins with a line break."""
    cdef int i
    for i in range(MOST_BLANKS):
        if not is_blank(text[end - 1]):
            break
        end -= 1
    return end


cdef bytes on_one_line(bytes value):
    """A header's value on one line."""
    return b" ".join(value.split())


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


cdef Py_ssize_t find(bytes data, char unit, Py_ssize_t begin):
    """Where a character is next, or the end."""
    cdef const char* units = data
    if begin >= len(data):
        return len(data)
    cdef const char* found = <const char*>memchr(units + begin, unit, len(data) - begin)
    return found - units if found else len(data)


cdef bint is_blank(char unit) noexcept:
    return unit == c" " or unit == c"\t"
