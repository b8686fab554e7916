package gitdiff

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A header is the line with which cat-file introduces an object.
type header struct {
	id   string
	kind string // commit, tree, blob or tag
	size int64
}

// parseHeader reads cat-file's answer to a request, without its newline.
func parseHeader(line string) (header, error) {
	fields := strings.Split(line, " ")
	if len(fields) != 3 || !isObjectName(fields[0]) {
		return header{}, fmt.Errorf("git cat-file answered %q", line)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return header{}, fmt.Errorf("git cat-file gave the size %q", fields[2])
	}
	return header{id: fields[0], kind: fields[1], size: size}, nil
}

// isObjectName reports a full object name, in SHA-1 or SHA-256, as git prints it.
func isObjectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// maxSkipped is how much of an object is read past; beyond it a new process is
// cheaper than git unpacking the rest.
const maxSkipped = 1 << 20

// catFile is a running `git cat-file --batch`, which answers one request at a
// time. One process serves all objects, since starting git costs more than
// reading a file.
type catFile struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr diagnostics
	broken bool // an answer was not read to its end: the process is of no more use
}

func startCatFile(g git) (*catFile, error) {
	// The process outlives the call that needs it first; kill ends it early.
	c := &catFile{cmd: g.command(context.Background(), "cat-file", "--batch")}
	c.cmd.Stderr = &c.stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// ask requests one object and hands it to use, which may leave some unread.
func (c *catFile) ask(request string, use func(header, io.Reader) error) error {
	if strings.ContainsAny(request, "\n\r\x00") {
		return fmt.Errorf("%q cannot be the name of an object", request)
	}
	c.broken = true
	if _, err := io.WriteString(c.in, request+"\n"); err != nil {
		return ended(err)
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return ended(err)
	}
	line = strings.TrimSuffix(line, "\n")
	if line == request+" missing" {
		c.broken = false
		return ErrMissing
	}
	h, err := parseHeader(line)
	if err != nil {
		return err
	}
	body := &io.LimitedReader{R: c.out, N: h.size}
	err = use(h, body)
	if body.N <= maxSkipped {
		if _, err := c.out.Discard(int(body.N) + len("\n")); err != nil {
			return ended(err)
		}
		c.broken = false
	}
	return err
}

// ended hides io.EOF, which a reader of directories would take for their end.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("git cat-file ended early: %w", err)
}

func (c *catFile) kill() { _ = kill(c.cmd) }

// stop ends the process and returns what it had to say. Killing is safe:
// cat-file writes nothing.
func (c *catFile) stop() string {
	c.kill()
	_ = c.cmd.Wait() // "killed" is no news
	return c.stderr.String()
}
