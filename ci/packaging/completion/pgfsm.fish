# Completes words of pgfsm in fish; pgfsm itself knows which words fit.

function __pgfsm_words
    set -l words (commandline -opc) (commandline -ct)
    set -l option (string match -r '^--[^=]*=' -- $words[-1])
    set -l rest (string replace -r '^--[^=]*=' '' -- $words[-1])
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        switch $line
            case :file
                printf '%s\n' "$option"(__fish_complete_path $rest)
            case :folder
                printf '%s\n' "$option"(__fish_complete_directories $rest)
            case '*'
                echo $line
        end
    end
end

complete -c pgfsm -f -a '(__pgfsm_words)'
