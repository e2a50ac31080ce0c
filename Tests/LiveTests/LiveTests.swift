import TestSupport
import Testing

/// Runs where ``Live/isAsked``, one test after the other.
@Suite(.serialized, .enabled(if: Live.isAsked, "these run in tools/test live")) struct LiveTests {}
