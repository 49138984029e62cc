package secrets

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule finds one kind of secret.
type rule struct {
	kind string
	// words are what a text must have for the rule to be tried, in lower case: one of them is in every match.
	words []string
	// pattern has the secret in its last group, or is all of it. With follows it is looked for right behind each of the words alone,
	// which takes no time where there are none.
	pattern *regexp.Regexp
	follows bool
	// prefix is how many bytes of a match say only what kind of secret it is, and may be shown.
	prefix int
	// judge tells secrets from words, names and placeholders; nil for a form that nothing else has.
	judge func(text string) bool
}

// rules gives all rules, made when they are first asked for: to compile them takes some milliseconds, which no other command shall wait for.
var rules = sync.OnceValue(makeRules)

// makeRules makes the rules. They are tried in this order: of two matches in one place the first rule's counts. The forms are those that the
// issuers document; a token that has a prefix of its own is known by it alone.
func makeRules() []rule {
	return []rule{
		{kind: "private-key", words: []string{"private key"}, pattern: regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`)},
		token("github-token", `(?:gh[pousr]_[0-9A-Za-z]{36,255}|github_pat_[0-9A-Za-z_]{22,255})`, 4, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
		token("aws-access-key-id", `(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}`, 4, "akia", "asia", "abia", "acca"),
		token("anthropic-key", `sk-ant-[0-9A-Za-z_-]{20,}`, 7, "sk-ant-"),
		token("openai-key", `sk-(?:proj-|svcacct-|admin-)?[0-9A-Za-z_-]*[0-9][0-9A-Za-z_-]{19,}`, 3, "sk-"),
		token("gitlab-token", `gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[0-9A-Za-z_.-]{20,}`, 6, "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-"),
		token("slack-token", `xox[abeoprs]-[0-9A-Za-z-]{10,}`, 5, "xox"),
		{kind: "slack-webhook", words: []string{"hooks.slack.com"}, pattern: regexp.MustCompile(`https://hooks\.slack\.com/(?:services|workflows)/([0-9A-Za-z+/]{20,})`)},
		token("google-api-key", `AIza[0-9A-Za-z_-]{35}`, 4, "aiza"),
		token("google-oauth-token", `ya29\.[0-9A-Za-z_-]{20,}`, 5, "ya29."),
		token("stripe-key", `(?:sk|rk|whsec)_(?:live_|test_)?[0-9A-Za-z]{16,}`, 3, "sk_", "rk_", "whsec_"),
		token("supabase-key", `(?:sb_secret_[0-9A-Za-z_-]{10,}|sbp_[0-9a-f]{40})`, 4, "sb_secret_", "sbp_"),
		token("npm-token", `npm_[0-9A-Za-z]{36}`, 4, "npm_"),
		token("pypi-token", `pypi-[0-9A-Za-z_-]{50,}`, 5, "pypi-"),
		token("huggingface-token", `hf_[0-9A-Za-z]{30,}`, 3, "hf_"),
		token("digitalocean-token", `do[oprt]_v1_[0-9a-f]{64}`, 7, "_v1_"),
		token("sendgrid-key", `SG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`, 3, "sg."),
		token("jwt", `eyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}`, 3, "eyj"),
		{
			kind: "url-password", words: []string{"://"}, follows: true,
			pattern: regexp.MustCompile(`^[^\s:/?#@"'<>\\]*:([^\s/?#@"'<>\\${}*]{3,})@[^\s@]`),
		},
		{
			kind: "authorization", words: []string{"authorization"}, follows: true, judge: credential,
			pattern: regexp.MustCompile(`^[\\"']*\s*[:=]\s*\[?\s*[\\"']*(?:(?i:bearer|basic|token|digest|apikey)\s+)?([^\s\\"'<>,;\]${}()]{8,})`),
		},
		{kind: "bearer-token", words: []string{"bearer "}, follows: true, judge: byChance, pattern: regexp.MustCompile(`^\s*([0-9A-Za-z._~+/-]{16,}=*)`)},
		{
			kind: "assignment", follows: true, judge: byChance,
			words: []string{
				"api_key", "api-key", "apikey", "access_key", "access-key", "accesskey", "private_key", "private-key", "privatekey", "account_key", "accountkey",
				"secret", "secret_key", "secretkey", "password", "passwd", "passphrase", "token",
			},
			pattern: regexp.MustCompile(`^[\\"']*\s*(?:=>|:=|=|:)\s*[\\"']*([^\s\\"'<>,;()\[\]{}$` + "`" + `]{8,})`),
		},
	}
}

// token is a rule for a token that is known by how it begins, and that stands between characters that it has not itself.
func token(kind, pattern string, prefix int, words ...string) rule {
	return rule{kind: kind, words: words, prefix: prefix, pattern: regexp.MustCompile(`(?:^|[^0-9A-Za-z_])(` + pattern + `)`)}
}

// find gives the places of the rule's secrets in a text, of which lower is the one in lower case.
func (r *rule) find(text, lower string) (places [][2]int) {
	take := func(base int, match []int) {
		if match == nil {
			return
		}
		at := match[len(match)-2:]
		if start, end := base+at[0], base+at[1]; r.judge == nil || r.judge(text[start:end]) {
			places = append(places, [2]int{start, end})
		}
	}
	if !r.follows {
		if slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(lower, w) }) {
			for _, match := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
				take(0, match)
			}
		}
		return places
	}
	for _, word := range r.words {
		for from := 0; ; {
			i := strings.Index(lower[from:], word)
			if i < 0 {
				break
			}
			from += i + len(word)
			take(from, r.pattern.FindStringSubmatchIndex(text[from:min(len(text), from+longest)]))
		}
	}
	return places
}

// longest is how far behind its word a secret is looked for.
const longest = 4096

// lowerASCII is a text with its ASCII letters in lower case; all else stands where it stood.
func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// credential reports whether what stands where a credential belongs is one and no placeholder.
func credential(text string) bool {
	upper, lower := strings.ToUpper(text), strings.ToLower(text)
	return byChance(text) || len(text) >= 12 && text != upper && text != lower && byChance(text+"0")
}

// secretName tells the name of a member whose whole value is a secret.
var secretName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-(?:api-key|auth-token|access-token|csrf-token)|(?:.*[_-])?(?:api[_-]?key|password|passwd|passphrase|secret|client[_-]?secret|private[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|secret[_-]?access[_-]?key))$`)
})

// byChance reports whether a text looks as if it were drawn at random: not a word, a path, a name, a placeholder. Passwords that people
// can say pass for words; who wants those gone has to say so.
func byChance(text string) bool {
	digits, letters, kinds := 0, 0, map[byte]int{}
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			letters++
		case c >= 0x80:
			return false
		}
		kinds[text[i]]++
	}
	switch lower := strings.ToLower(text); {
	case digits == 0 || letters == 0 && len(text) < 16:
		return false
	case len(kinds) < 6, strings.Contains(text, "://"), strings.HasPrefix(text, "/"), strings.HasPrefix(text, "./"):
		return false
	case strings.Contains(lower, "example"), strings.Contains(lower, "your"), strings.Contains(lower, "xxxx"), strings.Contains(text, "..."), strings.Contains(text, "***"):
		return false
	}
	return true
}
