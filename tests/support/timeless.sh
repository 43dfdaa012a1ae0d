# shellcheck shell=sh
# Reports of two runs that are to be equal: a shell script sources this file.

# timeless FILE: a report without times, and with the same text in place of random keys, moments and numbers of
# transactions.
timeless() {
    sed -E '/^ *time of /,/^$/d; s/[0-9.,]+ (µs|ms|s|min)\b/T/g; s/[0-9,]+ steps\/s/S steps\/s/g
        s/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/UUID/g
        s/20[0-9]{2}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+[+]00/NOW/g
        s/("|&quot;)[0-9]{3,7}(\\*("|&quot;))/\1XID\2/g
        s/\x27[0-9]{3,7}\x27/XID/g
        s/"(time_us|timeUs|shrinkingUs|start|stop|duration|time)":[0-9]+/"\1":T/g; s/(time|timestamp)="[^"]*"/\1="T"/g
        s/"(startTimeUtc|endTimeUtc)": *"[^"]*"/"\1":T/g
        s/(duration_ms:?) [0-9.]+/\1 T/; s/T T\b/T/g; s/  +/  /g' "$1"
}

# flowed FILE: the same, with lines that are folded behind a time as one.
flowed() { timeless "$1" | sed -E ':a; N; $!ba; s/\n  +([a-z0-9])/ \1/g'; }
