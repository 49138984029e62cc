package terminal

import "errors"

var errUnclosedQuote = errors.New("unclosed quote")

// splitWords splits a command line into words as a shell would, without its
// expansions: blanks separate, single and double quotes keep them. A backslash,
// if it escapes at all (it does not on Windows, where it separates folders),
// takes the next character as it is, in double quotes only a quote or another
// backslash.
func splitWords(line string, backslash bool) ([]string, error) {
	var (
		words  []string
		word   []byte
		inWord bool
		quote  byte
	)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case backslash && c == '\\' && quote != '\'' && i+1 < len(line) &&
			(quote == 0 || line[i+1] == '"' || line[i+1] == '\\'):
			i++
			word, inWord = append(word, line[i]), true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word = append(word, c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if inWord {
				words = append(words, string(word))
				word, inWord = word[:0], false
			}
		default:
			word, inWord = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, errUnclosedQuote
	}
	if inWord {
		words = append(words, string(word))
	}
	return words, nil
}

// isAssignment reports whether a word has the form NAME=value.
func isAssignment(word string) bool {
	for i := range len(word) {
		c := word[i]
		switch {
		case c == '=':
			return i > 0
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9':
		default:
			return false
		}
	}
	return false
}
