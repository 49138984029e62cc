package secrets

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

// made up, of the right form
var (
	github = "ghp_" + strings.Repeat("0aB", 12)
	jwt    = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9mLWl0"
	pem    = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----"
)

func TestIn(t *testing.T) {
	for text, want := range map[string]string{
		"push with " + github + ".":                             "github-token " + github,
		"AWS_ACCESS_KEY_ID=AKIA0123456789ABCDEF\n":              "aws-access-key-id AKIA0123456789ABCDEF",
		"x sk-ant-api03-0123456789abcdefghij-x y":               "anthropic-key sk-ant-api03-0123456789abcdefghij-x",
		"sk-proj-abcdefghij0123456789abcdefghij":                "openai-key sk-proj-abcdefghij0123456789abcdefghij",
		"the cookie " + jwt:                                     "jwt " + jwt,
		pem + "\nnext":                                          "private-key " + pem,
		"postgres://ada:garden-9@db.example:5432/x":             "url-password garden-9",
		"redis://:hunter22@cache/0":                             "url-password hunter22",
		`{"Authorization": "Basic YWRhOmdhcmRlbjEy"}`:           "authorization YWRhOmdhcmRlbjEy",
		`curl -H 'Authorization: token 0a1b2c3d4e5f60718293'`:   "authorization 0a1b2c3d4e5f60718293",
		`{\"authorization\":\"Bearer 0a1b2c3d4e5f60718293\"}`:   "authorization 0a1b2c3d4e5f60718293",
		"export API_KEY=a8s7d6f5g4h3j2k1":                       "assignment a8s7d6f5g4h3j2k1",
		`db_password: "tr0ub4dor&3x"`:                           "assignment tr0ub4dor&3x",
		"Bearer " + github:                                      "github-token " + github,
		"two: " + github + " " + jwt:                            "github-token " + github + "|jwt " + jwt,
		"https://hooks.slack.com/services/T00/B00/abcdefgh1234": "slack-webhook T00/B00/abcdefgh1234",
	} {
		var got []string
		for _, f := range In(text) {
			got = append(got, f.Kind+" "+text[f.Start:f.End])
			if said := f.String(); strings.Contains(said, text[f.Start:f.End]) {
				t.Errorf("%q gives all of it away", said)
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestNothingIn(t *testing.T) {
	for _, text := range []string{
		`apiKey == "" is a test`, "sk-...", "sk-your-key-here", "<YOUR_TOKEN>", "$(cat token)", "password: ${DB_PASSWORD}", "api_key = os.environ['API_KEY_2']",
		"id a0000000-0000-4000-8000-000000000005 hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"token_count: 77", "the password is wrong", "tokens: 123456789012", "setDefaultPlantAndBedProvider()", "https://x.example/a:b@c", "git@github.com:ada/garden.git",
		"http://localhost:8080/a@b", "password=password", "key: value1234", "xghp_" + github, "maxTokens: 128000", "user:pass@host", "bearer of bad news, 2 times",
		"AKIA0123", "Authorization: Bearer <token>", "Authorization: Bearer your-token-here1",
	} {
		if found := In(text); len(found) != 0 {
			t.Errorf("%q: found %v: %q", text, found, text[found[0].Start:found[0].End])
		}
	}
}

func TestRedactJSON(t *testing.T) {
	escaped := strings.ReplaceAll(github, "0", `\u0030`)
	picture := strings.Repeat("AKIA0123456789ABCDEF/", 100)
	for value, want := range map[string]string{
		`{"a":"x ` + github + ` y"}`:                                                             `{"a":"x [redacted github-token] y"}`,
		`{"a":"\u00e9\n` + github + `\ud83d\ude00\\"}`:                                           `{"a":"\u00e9\n[redacted github-token]\ud83d\ude00\\"}`,
		`{"a":"é😀` + escaped + `"}`:                                                              `{"a":"é😀[redacted github-token]"}`,
		`{"uuid":"` + github + `","x":["` + github + `"]}`:                                       `{"uuid":"` + github + `","x":["[redacted github-token]"]}`,
		`{"` + github + `":1}`:                                                                   `{"` + github + `":1}`,
		`{"headers":{"X-Api-Key":"0a1b2c3d4e"},"X-Api-Key":12345}`:                               `{"headers":{"X-Api-Key":"[redacted member]"},"X-Api-Key":12345}`,
		`{"db":{"password":["s3cr3t-val"]}, "next" : "s3cr3t-val"}`:                              `{"db":{"password":["[redacted member]"]}, "next" : "s3cr3t-val"}`,
		`{"out":"{\"password\":\"a8s7d6f5g4h3\",\"z\":1}"}`:                                      `{"out":"{\"password\":\"[redacted assignment]\",\"z\":1}"}`,
		`{"source":{"data":"` + picture + `"}}`:                                                  `{"source":{"data":"` + picture + `"}}`,
		`{"url":"data:image/png;base64,` + picture + `"}`:                                        `{"url":"data:image/png;base64,` + picture + `"}`,
		`{"rawBase64":"` + base64.StdEncoding.EncodeToString([]byte("torn \xff "+github)) + `"}`: `{"rawBase64":"` + base64.StdEncoding.EncodeToString([]byte("[redacted github-token]")) + `"}`,
		`{"a":"\ud83d` + github + `"}`:                                                           `{"a":"\ud83d[redacted github-token]"}`,
		`{"id":"` + github + `","input":{"id":["` + github + `"]},"uuid":"` + github + `"}`:      `{"id":"` + github + `","input":{"id":["[redacted github-token]"]},"uuid":"` + github + `"}`,
		`[1,"x"]`: `[1,"x"]`,
	} {
		got, found := RedactJSON([]byte(value))
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if (value != want) != (len(found) > 0) {
			t.Errorf("%s: found %v", value, found)
		}
	}
}

// TestManyFinds must not take time by the square.
func TestManyFinds(t *testing.T) {
	const n = 50_000
	text := strings.Repeat("api_key: a8s7d6f5g4 password=a8s7d6f5g5 ", n/2)
	begun := time.Now()
	if found := In(text); len(found) != n {
		t.Errorf("got %d finds, want %d", len(found), n)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// FuzzRedactJSON: a redacted value is valid JSON, has no secret left, and is the value itself where nothing was found.
func FuzzRedactJSON(f *testing.F) {
	f.Add(fmt.Sprintf("x %s\n\"y\" %s", github, jwt), "\xff\u00e9 postgres://a:bcd1@e")
	f.Add("password: a8s7d6f5g4h3", "Authorization: Bearer 0a1b2c3d4e5f60718293")
	f.Add("", "\\ud83d")
	f.Fuzz(func(t *testing.T, a, b string) {
		value := objects.Object(objects.StringField("a", a), objects.StringField("password", b))
		value = append(value[:len(value):len(value)], ' ')
		redacted, found := RedactJSON(value)
		if !objects.Valid(redacted) {
			t.Fatalf("%s is no JSON, redacted from %s", redacted, value)
		}
		if len(found) == 0 && string(redacted) != string(value) {
			t.Fatalf("nothing was found, and %s became %s", value, redacted)
		}
		for _, f := range found {
			secret := value[f.Begin:f.Behind]
			if text, ok := objects.Unquote([]byte(`"` + string(secret) + `"`)); !ok || len(text) != f.End-f.Start {
				t.Fatalf("%q (%s) of %d bytes is %q in %s", text, f.Kind, f.End-f.Start, secret, value)
			}
		}
	})
}

func BenchmarkInJSON(b *testing.B) {
	value := []byte(`{"type":"message","content":"` + strings.Repeat(`a line of a program with a token in it\n`, 25_000) + `"}`)
	b.SetBytes(int64(len(value)))
	for b.Loop() {
		InJSON(value)
	}
}
