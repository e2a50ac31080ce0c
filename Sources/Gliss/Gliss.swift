@_exported public import GlissClient
@_exported public import GlissDevices
@_exported public import GlissFocus
@_exported public import GlissGate
@_exported public import GlissRecognition
