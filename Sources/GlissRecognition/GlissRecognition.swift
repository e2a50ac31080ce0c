@_exported public import GlissEvents
@_exported public import GlissGestures
@_exported public import GlissHotkeys
@_exported public import GlissRecordings
@_exported public import GlissSession
