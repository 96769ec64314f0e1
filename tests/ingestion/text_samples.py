"""A small file of each text format, in which w01, w02 ... stand on known lines."""

import json

RST = """=======
Tide w01
=======

The night boat w02 sails, and
at w03 **it** calls :ref:`w04 <x>`
twice.

Times w05
---------

- item w06
  goes on w07

.. note:: Mind w08
   the w09 gap.

====== =====
Ticket Price
====== =====
Child  w10
Adult  w11
====== =====

.. code-block:: python

   x = "w12"

   y = "w13"

:Field: w14
"""

ORG = """#+TITLE: Notes w01

Boats *leave* w02
at [[x.org][w03]].

* TODO Fares w04 :tag:
:PROPERTIES:
:ID: x
:END:
| Child | w05 |
| Adult | w06 |

- item w07
  goes on w08
#+begin_src c
code w09

more w10
#+end_src
"""

PYTHON = '''"""The gate w01.

It opens w02
at high water.
"""

import w03


class Gate(w04):
    """A gate w05."""

    # It sinks w06
    # below w07
    @w08
    def height(
        self, w09
    ):
        return w10


w11 = 1  # metres
'''

JAVASCRIPT = """/**
 * Opens w01
 * the gate w02.
 */
let a = 'w03';

// closed w04
let b = `
  w05`;
"""

YAML = """# comment
server: &s
  name: w01
  ports: [80, w02]
  text: |
    w03 goes
  "quoted": 'w04'
list:
- w05
- other: w06
---
second: w07
"""

JSON = """{
  "name": "w01", "port": [1,
    "w02"],

  "deep": {"er":
    "w03"}
}
"""

TOML = """title = "w01"

[server]  # main
name = 'w02'
ports = [
  "w03",  # ]
  "w04",
]
[[boat]]
text = \"\"\"
w05 goes
\"\"\"
last = "w06"
"""

CHAT = """[2024-05-01 10:00:00] Ada: When w01
does it w02 leave?
[2024-05-01 10:01:00] Bo: At w03 nine.
"""

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Tide w01\n", "\n", "It *is* w02\n", "w03."]},
            {
                "cell_type": "code",
                "outputs": [{"output_type": "stream", "text": ["w04\n", "w05\n"]}],
                "source": ["x = w06\n", "y = w07"],
            },
        ],
    },
    indent=1,
)

SAMPLES = [
    ("a.rst", RST),
    ("a.org", ORG),
    ("a.py", PYTHON),
    ("a.js", JAVASCRIPT),
    ("a.yaml", YAML),
    ("a.json", JSON),
    ("a.toml", TOML),
    ("chat.txt", CHAT),
    ("a.ipynb", NOTEBOOK),
    ("crlf.rst", RST.replace("\n", "\r\n")),
    ("feeds.py", PYTHON.replace("below w07", "below w07\f")),
]
