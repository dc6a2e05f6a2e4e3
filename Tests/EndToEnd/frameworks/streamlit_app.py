"""A page on Streamlit, whose script runs again for each change of a widget. `streamlit run streamlit_app.py`"""

import streamlit as st

name = st.text_input("Name")
runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
number = st.slider("Number", 0, 10, 3)
st.write(f"{name or 'Nobody'} squares {number}: {number * number}")
file = st.file_uploader("File")
if file:
    st.write(f"{file.name}: {len(file.getvalue())} bytes")
if st.button("Count the runs"):
    st.write(f"Run {runs}")
