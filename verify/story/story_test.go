package story_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/dispatch"
	_ "hostlock/strategies"
	"hostlock/verify/story"
)

func TestStories(t *testing.T) {
	for _, s := range append(story.Flow(), story.Stories()...) {
		t.Run(s.Name, func(t *testing.T) {
			for _, st := range dispatch.Strategies() {
				t.Run(st.Name, func(t *testing.T) { require.NoError(t, s.Run(story.Options{Strategy: st.Name})) })
			}
		})
	}
}
