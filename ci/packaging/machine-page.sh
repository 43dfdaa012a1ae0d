#!/bin/sh
# machine-page.sh VERSION <MACHINES.md
#
# Prints the manual page pgfsm-machine(5), which lowdown makes of docs/MACHINES.md.
set -eu

printf "'\\\\\" t\n.TH PGFSM\\-MACHINE 5 \"\" \"pgfsm %s\" \"File Formats\"\n" "$1"
printf '.ad l\n.nh\n.SH NAME\npgfsm\\-machine \\- a machine: a PostgreSQL schema as a state machine, in YAML\n'
# Headings move up a level. A manual page can't follow links: their text is enough.
sed -E '1s/^# .*/# DESCRIPTION/; 1!s/^##/#/' | lowdown --nroff-nolinks -Tman |
    # man(7) knows no font C and no empty paragraphs; a table needs space below.
    sed -E '/^\.\\" -\*-/d; s/\\fC/\\fB/g; s/ expand allbox/ allbox/
        /^\.TE$/{s/$/\n.sp/; n; /^\.[LP]P$/d}
        /^\.S[HS]$/{N; s/\n/ /; n; /^\.[LP]P$/d}'
printf '.SH SEE ALSO\n.BR pgfsm (1)\n'
