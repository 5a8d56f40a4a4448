# cython: boundscheck=False, cdivision=True
"""Plain files: those that lie in a tar archive as most do, and mail, news and prose in ASCII.

What is done is what `textclust.text` does, and whatever is out of the ordinary is left to it. A
message is worked on in a copy of its own. A zero ends all bytes, and no plain ones have another,
so that a scan forwards stops there; one backwards stops at the line break before the body, which
has the names of two headers before it.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t
from libc.string cimport memchr, memcmp, memmove, strchr, strlen, strncmp, strspn, strstr


cdef extern from "Python.h":
    str PyUnicode_DecodeASCII(const char*, Py_ssize_t, const char*)

ctypedef const char* Value

cdef enum:
    BLOCK = 512
    LONGEST_PATH = 100
    MOST_HEADERS = 500
    LONGEST_NAME = 76
    LONGEST_VALUE = 1000
    LONGEST_ATTRIBUTION = 200
    SIGNATURE_LINES = 15
    HTML_BEGINNING = 2048
    FEW_TAGS = 3
    LONGEST_TAG = 10

cdef enum:
    SUBJECT, KEYWORDS, SUMMARY, DATE, CONTENT_TYPE, CONTENT_ENCODING, N_VALUES

cdef const char** NAMES = [
    "subject:", "keywords:", "summary:", "date:", "content-type:", "content-transfer-encoding:"
]
cdef const char** REPLIES = ["re", "aw", "fw", "fwd", "wg", "sv", "antw"]
cdef const char** VERBS = ["write", "writes", "wrote", "says", "said"]
cdef const char* LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
cdef const char* DIGITS = "0123456789"


def ordinary_files(bytes tape, Py_ssize_t place, int64_t most):
    """Name and content of the ordinary files that follow, whole and not too large; their end."""
    cdef const char* header = <const char*>tape + place
    cdef const char* end
    cdef int64_t size, padded
    cdef list files = []
    while len(tape) - place >= BLOCK:
        size = ordinary_size(header)
        padded = (size + BLOCK - 1) // BLOCK * BLOCK
        if size < 0 or size > most or padded > len(tape) - place - BLOCK:
            break
        end = <const char*>memchr(header, 0, LONGEST_PATH)
        name = PyBytes_FromStringAndSize(header, end - header if end else LONGEST_PATH)
        if name.endswith(b"/"):
            break
        files.append((name, PyBytes_FromStringAndSize(header + BLOCK, size)))
        place += BLOCK + padded
        header += BLOCK + padded
    return files, place


cdef int64_t ordinary_size(const char* header) noexcept:
    """The size of a regular file; -1 if its header is not as nearly all programs write it."""
    cdef unsigned char every = 0
    cdef int i, total = 8 * c" "  # what is in the place of the sum counts as blanks
    for i in range(BLOCK):
        every |= <unsigned char>header[i]
        total += 0 if 148 <= i < 156 else <unsigned char>header[i]
    if every >= 128 or octal(header + 148, 6) != total or header[154] or header[155] != c" ":
        return -1
    if header[156] and header[156] != c"0" or header[345] or octal(header + 136, 11) < 0:
        return -1
    for i in range(100, 124, 8):  # mode, owner, group
        if octal(header + i, 7) < 0:
            return -1
    for i in range(329, 345, 8):  # device, or nothing
        if octal(header + i, 7) < 0 and memcmp(header + i, "\0\0\0\0\0\0\0", 8) != 0:
            return -1
    return octal(header + 124, 11)


cdef int64_t octal(const char* digits, int n) noexcept:
    """A number of so many digits with a blank or a zero behind them; else -1."""
    cdef int64_t value = 0
    cdef int i
    for i in range(n):
        if not c"0" <= digits[i] <= c"7":
            return -1
        value = 8 * value + digits[i] - c"0"
    return -1 if digits[n] and digits[n] != c" " else value


def cleaned(bytes data):
    """The text of a plain file and the date it was sent, or None; None if it is not plain."""
    cdef const char* text = data
    cdef Value[N_VALUES] values
    cdef const char* body
    if not is_plain(text, len(data)):
        return None
    body = after_headers(text, values)
    if not body:
        return None if may_be_html(text) else (data.decode("ascii"), None)
    if not values[SUBJECT] or not values[DATE] or values[CONTENT_TYPE] or values[CONTENT_ENCODING]:
        return None
    return cleaned_message(bytearray(data), values, body - text)


cdef tuple cleaned_message(bytearray copy, Value* values, Py_ssize_t place):
    """What stays of the headers goes to the front, a line each, and the body behind it."""
    cdef char* text = copy
    cdef char* end = text + len(copy)
    cdef char* body = text + place
    cdef char* head = text
    cdef Value[N_VALUES] unused
    cdef int i
    for i in range(DATE):
        head = write_subject_matter(values[i], head)
        if not head:
            return None
    sent = PyUnicode_DecodeASCII(head, write_value(values[DATE], head) - head, NULL)
    body += strspn(body, "\n")
    while end > body and end[-1] == c"\n":
        end -= 1
    end[0] = 0
    if after_headers(body, unused) or may_be_html(body) or has_clues(body):
        return None
    cut_signature(body, end)
    end = move_without_attributions(body, head)
    if head == text:
        text += 1
    elif end == head + 1:  # no more than that line break
        end = head - 1
    return PyUnicode_DecodeASCII(text, end - text, NULL), sent


cdef const char* after_headers(const char* text, Value* values) noexcept:
    """Where the header block ends that opens a text, and the first value of each name; or NULL."""
    cdef const char* end = NULL
    cdef const char* name
    cdef int i, headers = 0
    for i in range(N_VALUES):
        values[i] = NULL
    text += strspn(text, " \t\n")
    if strncmp(text, "From ", 5) == 0 and strchr(text, c"\n"):
        text = next_line(text)
    while is_letter(text[0]):
        name = text
        while text - name < LONGEST_NAME and c"!" <= text[0] <= c"~" and text[0] != c":":
            text += 1
        if text[0] != c":":
            break
        for i in range(N_VALUES):
            if not values[i] and begins(name, NAMES[i]):
                values[i] = text + 1
        text = next_line(text)
        while is_blank(text[0]):
            text = next_line(text)
        end = text
        headers += 1
    if headers > MOST_HEADERS:
        values[SUBJECT] = NULL
    return end


cdef char* write_subject_matter(const char* value, char* line) noexcept:
    """Write a line of a header's value, if it has any; NULL if it is not plain."""
    cdef char* end = write_value(value, line)
    cdef const char* kept
    if end - line > LONGEST_VALUE or strstr(line, "=?"):
        return NULL
    kept = after_replies(line)
    end -= kept - line
    memmove(line, kept, end - line)
    end[0] = c"\n"
    return end + 1 if end > line else line


cdef char* write_value(const char* value, char* to) noexcept:
    """Write the words of a header's value, which goes on in folded lines; where they end."""
    cdef char* begin = to
    while value and value[0] and (value[0] != c"\n" or is_blank(value[1])):
        if not is_blank(value[0]) and value[0] != c"\n":
            if to > begin and is_blank(value[-1]):
                to[0] = c" "
                to += 1
            to[0] = value[0]
            to += 1
        value += 1
    to[0] = 0
    return to


cdef const char* after_replies(const char* subject) noexcept:
    """What follows `Re:` and its like, which may be numbered as in `Re[2]:`."""
    cdef const char* text
    cdef size_t digits, i = 0
    while i < 7:
        text = subject + strlen(REPLIES[i])
        i += 1
        if not begins(subject, REPLIES[i - 1]):
            continue
        digits = strspn(text + 1, DIGITS) if text[0] == c"[" or text[0] == c"^" else 0
        if 1 <= digits <= 3 and (text[0] == c"^" or text[1 + digits] == c"]"):
            text += 1 + digits + (text[0] == c"[")
        text += text[0] == c" "
        if text[0] == c":":
            subject = text + 1 + (text[1] == c" ")
            i = 0
    return subject


cdef bint may_be_html(const char* text) noexcept:
    """Whether a text may begin with a tag, or have several near its start."""
    cdef const char* begin = text
    cdef size_t length
    cdef int tags = 0
    if text[strspn(text, " \t\n")] == c"<":
        return True
    text = strchr(text, c"<")
    while text and text - begin < HTML_BEGINNING and tags < FEW_TAGS:
        text += 1 + (text[1] == c"/")
        length = strspn(text, LETTERS)
        length += strspn(text + length, DIGITS)
        if 1 <= length <= LONGEST_TAG and strchr(" \t\n/>", text[length]) and text[length]:
            tags += 1
        text = strchr(text, c"<")
    return tags == FEW_TAGS


cdef bint has_clues(const char* body) noexcept:
    """Whether it has the name of a header that tells the group."""
    body = strchr(body, c":")
    while body:
        if begins(body - 4, "path") or begins(body - 4, "xref") or begins(body - 10, "newsgroups"):
            return True
        body = strchr(body + 1, c":")
    return False


cdef void cut_signature(char* body, char* end) noexcept:
    """End the body before its last `-- ` line, if as little follows as in a signature."""
    cdef char* line
    cdef int i
    end = stripped(body, end)
    for i in range(SIGNATURE_LINES + 2):
        line = end
        while line > body and line[-1] != c"\n":
            line -= 1
        if 2 <= end - line <= 3 and memcmp(line, "-- ", end - line) == 0:
            if i <= SIGNATURE_LINES or line == body:
                stripped(body, line)[0] = 0
            return
        if line == body:
            return
        end = line - 1


cdef char* move_without_attributions(char* body, char* to) noexcept:
    """Move the body, with the line break before it, and leave out who said what; where it ends."""
    cdef char* kept = body - 1
    cdef char* before = NULL  # the line break before that which begins the line
    cdef char* line = kept
    cdef char* stop = strchr(body, c"\n")
    cdef char* start
    line[0] = c"\n"
    while stop:
        if is_said(line, stop):
            start = before if before >= kept and (cites(before) or dates(before)) else line
            if cites(start) or quote_follows(stop):
                memmove(to, kept, start - kept)
                to += start - kept
                kept = stop
        before, line, stop = line, stop, strchr(stop + 1, c"\n")
    memmove(to, kept, strlen(kept))
    return to + strlen(kept)


cdef bint is_said(const char* line, const char* end) noexcept:
    """Whether `writes:` or its like ends the line after a line break, and not too far into it."""
    cdef Py_ssize_t i, length
    end = before_blanks(end)
    if end[-1] != c":" and memcmp(end - 3, "...", 3) != 0:
        return False
    end = before_blanks(end - (1 if end[-1] == c":" else 3))
    for i in range(5):
        length = strlen(VERBS[i])
        if memcmp(end - length, VERBS[i], length) == 0:
            return end - length - line <= LONGEST_ATTRIBUTION
    return False


cdef bint quote_follows(const char* text) noexcept:
    """Whether the line after a line break is quoted; up to three blank ones may come first."""
    cdef size_t letters, blanks
    cdef int i
    for i in range(4):
        blanks = strspn(text + 1, " \t")
        if blanks > 4:
            return False
        text += 1 + blanks
        if text[0] != c"\n":
            break
    letters = strspn(text, LETTERS)
    if text[0] == c":":
        return text[1] != 0 and strchr(" \t:>", text[1]) != NULL
    if letters:
        return 2 <= letters <= 4 and text[letters] == c">"
    return text[0] == c">" or text[0] == c"|"


cdef bint cites(const char* line) noexcept:
    """Whether the line after a line break begins with what is cited."""
    return strncmp(line, "\nIn ", 4) == 0 and (
        line[4] == c"<"
        or strncmp(line + 4, "article", 7) == 0
        or strncmp(line + 4, "message", 7) == 0
        or strncmp(line + 4, "a previous", 10) == 0
    )


cdef bint dates(const char* line) noexcept:
    """Whether the line after a line break begins with a date."""
    return strncmp(line, "\nOn ", 4) == 0 and (c"A" <= line[4] <= c"Z" or is_digit(line[4]))


cdef bint begins(const char* text, const char* word) noexcept:
    """Whether a word in lower case stands here, in any case; no plain text is mistaken for it."""
    while word[0] and text[0] | 32 == word[0]:
        text += 1
        word += 1
    return word[0] == 0


cdef const char* next_line(const char* text) noexcept:
    cdef const char* end = strchr(text, c"\n")
    return end + 1 if end else text + strlen(text)


cdef const char* before_blanks(const char* end) noexcept:
    """Before up to four blanks."""
    cdef int i = 0
    while i < 4 and is_blank(end[-1]):
        end -= 1
        i += 1
    return end


cdef char* stripped(char* begin, char* end) noexcept:
    """The end without white space."""
    while end > begin and (is_blank(end[-1]) or end[-1] == c"\n"):
        end -= 1
    return end


cdef bint is_plain(const char* text, Py_ssize_t length) noexcept:
    """Whether all is printable ASCII, but for tabs and line breaks."""
    cdef unsigned char odd = 0, unit
    cdef Py_ssize_t i
    for i in range(length):
        unit = text[i]
        odd |= (<unsigned char>(unit - 32) > 94) & (unit != c"\n") & (unit != c"\t")
    return odd == 0


cdef inline bint is_blank(char unit) noexcept:
    return unit == c" " or unit == c"\t"


cdef inline bint is_letter(char unit) noexcept:
    return c"a" <= unit | 32 <= c"z"


cdef inline bint is_digit(char unit) noexcept:
    return c"0" <= unit <= c"9"
