"""Chat models that are asked for edits of a text: here, or on a server.

`endpoint` is the client, `answers` what was answered before, `served` and `local` the two ways to a
model, `edits` what is asked and what is made of the answer.
"""
