"""The rules of the interface (rows: core.spec.findings), each checked at the place where it can be broken.

check           states and their values
watch           rules that have no effect on the device, seen in the stream
watch_limits    what tokens require, against what the driver reports
surface_limits  what a surface requires, against what the driver reports
shader_check    what the shader models forbid
lock_promises   what locks with NOOVERWRITE and DISCARD leave alone, and write
old_uses        what draws of DirectX 6 and 7 read of a vertex buffer
stalls          when a driver must wait for the vertex buffer
renaming        where a renamed buffer is
info_requests   what GetDriverInfo is asked
facts           what is known of a driver, from a profile or from its answers
answers         what a driver answered, against what is required of drivers
dxgi_answers    the same for DXGI calls
requirements    capabilities and formats that a DirectX 8 HAL must have
"""
