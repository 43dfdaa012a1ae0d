#!/bin/sh
# circles.sh ARCHITECTURE.md OBJECTS
#
# Checks that no two files of a module call each other, not even by way of others. OBJECTS is a list of compiled
# files, ….dir/MODULE/….c.o; their symbols say who uses whose functions and data. The table of ARCHITECTURE.md
# whose header row begins `| circle |` names the circles that are natural. Prints each circle that it does not
# name, and each file that it names in vain; exit status 1 if there is one.
set -eu

# "DIR/pgfsm.dir/./lang/lang.c.o: U name", or with an address and the symbol's kind.
xargs nm -A <"$2" | sed 's|^.*\.dir/\(\./\)*\([^:]*\)\.c\.o:|\2 |' | awk -v table="$1" -v objects="$2" '
function module_of(file) {
    sub(/\/.*/, "", file)
    return file
}

# Rows such as: | `lang/eval/eval` `lang/eval/exec` | why |
function read_circles(    line, inside, words, n, i) {
    while ((getline line < table) > 0) {
        inside = line ~ /^\| circle \|/ || (inside && line ~ /^\|/)
        if (inside && line ~ /^\| `/) {
            circles++
            split(line, words, "|")
            n = split(words[2], words, " ")
            for (i = 1; i <= n; i++) {
                gsub(/`|^`src\/|\.c`$/, "", words[i])
                natural[words[i]] = circles
            }
        }
    }
}

# The files that a file reaches, including itself if it is in a circle.
function reach(from, file,    i, to) {
    for (i = 1; i <= degree[file]; i++) {
        to = edge[file, i]
        if (!((from, to) in reached)) {
            reached[from, to] = 1
            reach(from, to)
        }
    }
}

{ files[$1] = 1 }
NF == 4 && $3 ~ /^[TDBRC]$/ { owner[$4] = $1 }
NF == 3 && $2 == "U" { used[++uses] = $1 " " $3 }

END {
    if (!uses) {
        print "no symbol was found in the files of " objects
        exit 1
    }
    read_circles()
    for (i = 1; i <= uses; i++) {
        split(used[i], pair, " ")
        to = pair[2] in owner ? owner[pair[2]] : pair[1]
        if (to != pair[1] && module_of(to) == module_of(pair[1]) && !((pair[1], to) in seen)) {
            seen[pair[1], to] = 1
            edge[pair[1], ++degree[pair[1]]] = to
        }
    }
    for (file in files)
        reach(file, file)
    for (file in files) {
        if (!((file, file) in reached)) {
            if (file in natural) {
                print table ": " file " is in no circle"
                bad = 1
            }
            continue
        }
        if (file in told)
            continue
        list = ""
        allowed = 1
        for (other in files)
            if (((file, other) in reached) && ((other, file) in reached)) {
                told[other] = 1
                list = list " " other
                allowed = allowed && (other in natural) && natural[other] == natural[file]
            }
        if (!allowed) {
            print "files that call each other:" list
            bad = 1
        }
    }
    for (file in natural)
        if (!(file in files)) {
            print table ": there is no file " file
            bad = 1
        }
    exit bad
}'
