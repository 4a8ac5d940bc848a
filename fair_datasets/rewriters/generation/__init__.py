"""Models that write: any encoder-decoder model as a rewriter of rows, and chat models.

`loading` reads a model, `controls` tells it what to do, `writing` asks it for texts, in parts where
it cannot read them whole, and `decoding` has it write, `greedy` by a draft. `chat` asks a chat
model for edits, here or by `served` on a server, of which `endpoint` is the client.
"""
