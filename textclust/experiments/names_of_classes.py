"""What people would call the classes of the collections.

For each class the words of its own name, where it has any, and words that mean much the same: a
name with one of them, in any form, says what the class is. A phrase has to stand in it whole.

They were written down before any name was made in the new way, by someone who had seen the old
names of the newsgroups and of classic4, but none of the other two collections.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NAMES_OF_CLASSES"]

_NEWSGROUPS = {
    "alt.atheism": "atheism, atheist, god, religion, belief, morality",
    "comp.graphics": "graphics, image, picture, 3d, rendering",
    "comp.os.ms-windows.misc": "windows, ms windows, microsoft, dos",
    "comp.sys.ibm.pc.hardware": "pc, ibm, hardware, motherboard, drive, disk, controller, bus",
    "comp.sys.mac.hardware": "mac, macintosh, apple, hardware, drive, monitor",
    "comp.windows.x": "x11, x windows, x window, window, xterm, motif",
    "misc.forsale": "sale, for sale, sell, offer, price, shipping",
    "rec.autos": "car, auto, automobile, vehicle, engine",
    "rec.motorcycles": "motorcycle, bike, motorbike, rider, riding",
    "rec.sport.baseball": "baseball, pitcher, batter, inning",
    "rec.sport.hockey": "hockey, nhl, goalie, playoff",
    "sci.crypt": "cryptography, crypt, encryption, cipher, cryptographic, clipper",
    "sci.electronics": "electronics, electronic, circuit, voltage, amplifier, wire",
    "sci.med": "medicine, medical, disease, health, doctor, patient, treatment",
    "sci.space": "space, nasa, orbit, spacecraft, shuttle",
    "soc.religion.christian": "christian, christianity, church, god, jesus, religion, bible, "
    "christ",
    "talk.politics.guns": "gun, firearm, weapon, handgun, nra",
    "talk.politics.mideast": "mideast, middle east, israel, israeli, arab, turkey, turkish, "
    "armenian",
    "talk.politics.misc": "politics, political, government, president, tax, clinton",
    "talk.religion.misc": "religion, god, jesus, christian, bible, christ",
}

_SAMPLE = {
    "rec.bicycles": "bicycle, bike, cycling, cyclist",
    "rec.photo": "photo, photography, photograph, camera, lens, picture",
    "sci.astro": "astronomy, astro, astronomical, telescope, star, planet, sky",
}

_CLASSIC = {
    "cacm": "computer, computing, computation, algorithm, program, programming, software",
    "cisi": "information, library, retrieval, document, bibliographic, librarian",
    "cran": "aerodynamic, aeronautics, flow, aircraft, wing, boundary layer, flight, supersonic",
    "med": "medicine, medical, patient, disease, clinical, treatment, blood, cell",
}

_DEBIAN = {
    "database": "database, sql, postgresql, mysql",
    "editors": "editor, text editor, emacs, vim, editing",
    "electronics": "electronics, electronic, circuit, hardware, microcontroller, eda, verilog, avr",
    "fonts": "font, typeface, truetype, opentype",
    "games": "game, play, player, puzzle, arcade, adventure",
    "gnu-r": "gnu r, cran, statistics, statistical",
    "golang": "golang, go",
    "graphics": "graphics, image, picture, photo, drawing, viewer",
    "hamradio": "ham, ham radio, amateur radio, radio",
    "haskell": "haskell, ghc",
    "java": "java, jvm, maven",
    "javascript": "javascript, node, node.js, nodejs, js",
    "kernel": "kernel, linux, linux kernel, module, driver",
    "localization": "localization, language, translation, dictionary, locale, l10n",
    "mail": "mail, email, e-mail, imap, smtp, spam",
    "math": "math, mathematics, mathematical, algebra, numerical, theorem, calculator",
    "ocaml": "ocaml, caml",
    "perl": "perl, perl module",
    "php": "php, pear, pecl",
    "python": "python, python 3, django",
    "ruby": "ruby, rails, gem",
    "rust": "rust, cargo, crate",
    "sound": "sound, audio, music, midi",
    "video": "video, movie, tv, dvd, film",
}

_REUTERS = {
    "acq": "acquisition, acquire, merger, takeover, buy, stake, share, bid, offer",
    "crude": "crude, oil, crude oil, petroleum, barrel, opec, energy",
    "earn": "earn, earnings, profit, net, loss, dividend, quarter, revenue",
    "grain": "grain, wheat, corn, maize, crop, cereal, agriculture",
    "interest": "interest, interest rate, rate, prime rate, lending, bank rate",
    "money-fx": "money, currency, foreign exchange, exchange rate, dollar, yen, money market, "
    "sterling",
    "ship": "ship, shipping, vessel, port, tanker, gulf, seaman",
    "trade": "trade, export, import, tariff, surplus, deficit",
}

_NEWS = (
    *(f"3-news-{family}-1000" for family in ("different", "related", "similar")),
    "20-newsgroups-100",
    "20newsgroups",
)
NAMES_OF_CLASSES: Mapping[str, Mapping[str, str]] = {
    "newsgroups": _SAMPLE,
    "classic4": _CLASSIC,
    "debian": _DEBIAN,
    "reuters-8": _REUTERS,
    **dict.fromkeys(_NEWS, _NEWSGROUPS),
}
