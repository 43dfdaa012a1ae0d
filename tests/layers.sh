#!/bin/sh
# layers.sh ARCHITECTURE.md SOURCES
#
# Checks that the code follows the table of layers in ARCHITECTURE.md, whose header row starts with
# `| module | may include |`. Its third column names headers of libraries, such as <yaml.h>, that
# only the modules which list them may include. SOURCES is the folder that holds a folder per
# module. Prints each breach as file:line: message; exit status 1 if there is one.
set -eu

table=$1
sources=$2

modules=$(cd "$sources" && for dir in */; do printf '%s ' "${dir%/}"; done)

find "$sources" -name '*.[ch]' | LC_ALL=C sort | awk -v table="$table" -v top="$sources/" \
    -v modules="$modules" '
function complain(message) {
    print message
    breaches++
}

# The words of a table cell, without the marks of Markdown, into words[1..n].
function cell_words(cell, words) {
    gsub(/[`,]/, " ", cell)
    return split(cell, words, " ")
}

function read_row(line,    cells, words, n, i, module) {
    split(line, cells, "|")
    cell_words(cells[2], words)
    module = words[1]
    known[module] = 1
    may[module, module] = 1
    n = cell_words(cells[3], words)
    for (i = 1; i <= n; i++)
        may[module, words[i]] = 1
    n = cell_words(cells[4], words)
    for (i = 1; i <= n; i++) {
        reserved[words[i]] = 1
        may[module, words[i]] = 1
    }
}

function read_table(    line, inside) {
    while ((getline line < table) > 0) {
        if (line ~ /^\| module \| may include \|/)
            inside = 1
        else if (inside && line !~ /^\|/)
            inside = 0
        else if (inside && line !~ /^\| *-/)
            read_row(line)
    }
}

function check_rows(    folders, n, i, module) {
    n = split(modules, folders, " ")
    for (i = 1; i <= n; i++) {
        there[folders[i]] = 1
        if (!(folders[i] in known))
            complain(table ": no row for the module " folders[i])
    }
    for (module in known)
        if (!(module in there))
            complain(table ": a row for " module ", which is no folder of " top)
}

# Prints the target of an #include line: <header.h> unchanged, or the path between the quotes.
function included(line) {
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
    if (line ~ /^</) {
        sub(/>.*/, ">", line)
        return line
    }
    split(line, parts, "\"")
    return parts[2]
}

function check_include(place, module, header,    owner) {
    if (header ~ /^</) {
        if (header ~ /^<pgfsm\//)
            header = "<pgfsm/>"
        if (header in reserved && !((module, header) in may))
            complain(place ": " module " may not include " header)
        return
    }
    if (header !~ /\//) {
        complain(place ": write \"module/" header "\"")
        return
    }
    owner = header
    sub(/\/.*/, "", owner)
    if (!((module, owner) in may))
        complain(place ": " module " may not include \"" header "\"")
}

BEGIN {
    read_table()
    check_rows()
}

{
    file = $0
    module = substr(file, length(top) + 1)
    sub(/\/.*/, "", module)
    number = 0
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*[<"]/) {
            check_include(file ":" number, module, included(line))
            includes++
        }
    }
    close(file)
}

END {
    if (!includes)
        complain(top ": no #include was found there")
    exit breaches > 0
}
'
