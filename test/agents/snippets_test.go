//go:build agents

package agents

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// lacking stands for what the library of .NET has and that of Mono has not.
const lacking = `
namespace System.Net.Http.Json {
	static class Lacking {
		public static System.Threading.Tasks.Task<System.Net.Http.HttpResponseMessage> PostAsJsonAsync<T>(this System.Net.Http.HttpClient client, string uri, T value) {
			var json = new System.Web.Script.Serialization.JavaScriptSerializer().Serialize(value);
			return client.PostAsync(uri, new System.Net.Http.StringContent(json, System.Text.Encoding.UTF8, "application/json"));
		}
	}
}
`

// TestDotNet runs the example of docs/sending/dotnet.md as it is, by Mono, which
// wants a class around it and the namespaces that .NET uses unasked.
func TestDotNet(t *testing.T) {
	page, err := os.ReadFile("../../docs/sending/dotnet.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```csharp\n(.*?)```").FindSubmatch(page)
	if example == nil {
		t.Fatal("the page has no example")
	}
	s := serve(t)
	using := regexp.MustCompile(`(?m)^using .*;\n`)
	code := strings.ReplaceAll(string(example[1]), "http://tidemark.example.org:8433", s.url)
	program := "using System;\nusing System.Net.Http;\nusing System.Threading.Tasks;\n" + strings.Join(using.FindAllString(code, -1), "") + lacking +
		"class Example {\n\tstatic async Task Send() {\n" + using.ReplaceAllString(code, "") + "\t}\n\tstatic void Main() { Send().Wait(); }\n}\n"
	dir := t.TempDir()
	write(t, dir, "example.cs", "%s", program)
	run(t, dir, nil, "mcs", "-r:System.Net.Http,System.Web.Extensions", "-out:example.exe", "example.cs")
	run(t, dir, []string{"TOKEN=" + token}, "mono", "example.exe")
	sent := s.wait(t, "backup.seconds")[0]
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if last := sent.Measurements[len(sent.Measurements)-1]; sent.Tags["host"] != strings.ToLower(host) || last.Value != 311 {
		t.Errorf("%+v of %s", sent, host)
	}
}
